import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/**
 * An HDFS of one NameNode and two DataNodes on loopback, in this process: `java -cp JARS MiniHdfs.java FOLDER PORT`.
 *
 * Commands are lines of its input, and each is answered with lines of which the last is `done`. `stop` and `start` are
 * for the NameNode, which keeps its port and its files; `list` names all files. The end of the input is the end of the
 * process, so that it does not outlive who started it.
 */
public final class MiniHdfs {
  public static void main(String[] arguments) throws Exception {
    Configuration conf = new Configuration();
    conf.setInt("dfs.replication", 2);
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setBoolean("dfs.permissions.enabled", false);
    MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf, new File(arguments[0]))
        .nameNodePort(Integer.parseInt(arguments[1]))
        .numDataNodes(2)
        .build();
    cluster.waitActive();
    System.out.println("done");
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String command = commands.readLine(); command != null; command = commands.readLine()) {
      obey(cluster, command);
      System.out.println("done");
    }
    System.exit(0);
  }

  private static void obey(MiniDFSCluster cluster, String command) throws IOException {
    switch (command) {
      case "stop" -> cluster.shutdownNameNode(0);
      case "start" -> cluster.restartNameNode(0, true);
      case "list" -> list(cluster);
      default -> throw new IllegalArgumentException(command);
    }
  }

  private static void list(MiniDFSCluster cluster) throws IOException {
    RemoteIterator<LocatedFileStatus> files = cluster.getFileSystem().listFiles(new Path("/"), true);
    while (files.hasNext()) {
      System.out.println(files.next().getPath().toUri().getPath());
    }
  }
}
