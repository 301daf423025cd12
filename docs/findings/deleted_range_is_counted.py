"""numKeys of RocksDBStateStoreProvider counts keys that deleteRange has removed: needs only PySpark 4.2.

Ends with 1 if it does, and with 0 if that is mended.
"""

# mypy: ignore-errors
import sys
import tempfile
import uuid

from pyspark.sql import SparkSession

spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
spark.streams  # noqa: B018 - makes the coordinator that stores report to
jvm = spark._jvm
state = jvm.org.apache.spark.sql.execution.streaming.state
none = getattr(jvm.scala, "None$").__getattr__("MODULE$")
folder = tempfile.mkdtemp()


def schema(ddl):
    return jvm.org.apache.spark.sql.types.StructType.fromDDL(ddl)


def row(*cells):
    """An UnsafeRow of its own."""
    writer = jvm.org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(len(cells))
    writer.reset()
    writer.zeroOutNullBytes()
    for at, cell in enumerate(cells):
        text = isinstance(cell, str)
        writer.write(at, jvm.org.apache.spark.unsafe.types.UTF8String.fromString(cell) if text else cell)
    return writer.getRow().copy()


def provider(name, keys, values, encoder, confs):
    """A new instance of a provider, as an executor that has never seen the store makes it."""
    conf = jvm.org.apache.spark.sql.internal.SQLConf()
    for key, value in {**confs, "spark.sql.streaming.stateStore.providerClass": state.__getattr__(name)._fqn}.items():
        conf.setConfString(key, value)
    hadoop = spark._jsc.hadoopConfiguration()
    hadoop.set("sql.streaming.runId", str(uuid.uuid4()))
    store = state.StateStoreProviderId(state.StateStoreId(folder, 0, 0, "default"), jvm.java.util.UUID.randomUUID())
    options = state.StateStoreConf(conf, jvm.PythonUtils.toScalaMap({}))
    companion = state.__getattr__("StateStoreProvider$").__getattr__("MODULE$")
    return companion.createAndInit(store, keys, values, encoder, False, options, hadoop, False, none)


keys, values = schema("t INT, k STRING"), schema("v STRING")
encoder = state.RangeKeyScanStateEncoderSpec(keys, jvm.PythonUtils.toSeq([0]))
spark_provider = provider("RocksDBStateStoreProvider", keys, values, encoder, {})
store = spark_provider.getStore(0, none, False, False)
for t in range(10):
    store.put(row(t, "k"), row("v"), "default")
store.commit()
store = spark_provider.getStore(1, none, False, False)
store.deleteRange(row(2, ""), row(7, ""), "default")
iterator = store.iterator("default")
left = 0
while iterator.hasNext():
    iterator.next()
    left += 1
store.commit()
counted = store.metrics().numKeys()
print(f"After deleteRange of 5 of 10 keys a scan gives {left} keys, and numKeys is {counted}")
sys.exit(counted != left)
