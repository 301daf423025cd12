"""Clean-up counts snapshots of attempts that lost, and deletes changelogs still in use: needs only PySpark 4.2.

RocksDBStateStoreProvider, changelog, checkpoint format 2. Ends with 1 if it is so, and with 0 if that is mended.
"""

# mypy: ignore-errors
import sys
import tempfile
import uuid

from pyspark.sql import SparkSession

spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
spark.sparkContext.setLogLevel("OFF")
spark.streams  # noqa: B018 - makes the coordinator that stores report to
jvm = spark._jvm
state = jvm.org.apache.spark.sql.execution.streaming.state
none = getattr(jvm.scala, "None$").__getattr__("MODULE$")
folder = tempfile.mkdtemp()
retained = 2


def schema(ddl):
    return jvm.org.apache.spark.sql.types.StructType.fromDDL(ddl)


def row(text):
    """An UnsafeRow of its own."""
    writer = jvm.org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1)
    writer.reset()
    writer.zeroOutNullBytes()
    writer.write(0, jvm.org.apache.spark.unsafe.types.UTF8String.fromString(text))
    return writer.getRow().copy()


def provider(deltas_for_snapshot):
    """A new instance, as an executor that has never seen the store makes it."""
    confs = {
        "providerClass": state.RocksDBStateStoreProvider._fqn,
        "rocksdb.changelogCheckpointing.enabled": "true",
        "checkpointFormatVersion": "2",
        "minDeltasForSnapshot": str(deltas_for_snapshot),
    }
    conf = jvm.org.apache.spark.sql.internal.SQLConf()
    for key, value in confs.items():
        conf.setConfString(f"spark.sql.streaming.stateStore.{key}", value)
    conf.setConfString("spark.sql.streaming.minBatchesToRetain", str(retained))
    conf.setConfString("spark.sql.streaming.ratioExtraSpaceAllowedInCheckpoint", "0")
    hadoop = spark._jsc.hadoopConfiguration()
    hadoop.set("sql.streaming.runId", str(uuid.uuid4()))
    store = state.StateStoreProviderId(state.StateStoreId(folder, 0, 0, "default"), jvm.java.util.UUID.randomUUID())
    options = state.StateStoreConf(conf, jvm.PythonUtils.toScalaMap({}))
    keys, values = schema("k STRING"), schema("v STRING")
    encoder = state.NoPrefixKeyStateEncoderSpec(keys)
    companion = state.__getattr__("StateStoreProvider$").__getattr__("MODULE$")
    return companion.createAndInit(store, keys, values, encoder, False, options, hadoop, False, none)


def some(text):
    return jvm.scala.Option.apply(text)


def commit(of, version, key):
    """Commits the version after `version`, which is one of `winners`; returns its id."""
    store = of.getStore(version, winners[version], False, False)
    store.put(row(key), row("v"), "default")
    store.commit()
    return some(store.getStateStoreCheckpointInfo().stateStoreCkptId().get())


def keys_of(version):
    """As an executor reads them that has never seen the store."""
    fresh = provider(100)
    try:
        store = fresh.getStore(version, winners[version], False, False)
        iterator, found = store.iterator("default"), 0
        while iterator.hasNext():
            iterator.next()
            found += 1
        store.abort()
        return found
    finally:
        fresh.close()


winners = {0: none}  # the id of each version that the query went on from
winner, speculative = provider(100), provider(1)
wrong = 0
for version in range(1, 11):
    commit(speculative, version - 1, f"lost{version}")  # with a snapshot
    speculative.doMaintenance()
    winners[version] = commit(winner, version - 1, f"won{version}")
    winner.doMaintenance()
    for kept in range(max(1, version - retained + 1), version + 1):
        try:
            found = keys_of(kept)
            problem = None if found == kept else f"has {found} keys"
        except Exception as e:
            problem = "cannot be loaded: " + str(e.java_exception.getMessage()).split("\n")[0][:160]
        if problem:
            wrong += 1
            print(f"After version {version} is committed version {kept} {problem}")
    if wrong:
        break
print("Every version that is to be retained can be loaded" if not wrong else "State is lost")
sys.exit(wrong > 0)
