"""A row that RocksDBStateStoreProvider's get gave changes with the next get: needs only PySpark 4.2.

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


keys, values = schema("k STRING"), schema("v STRING")
encoder = state.NoPrefixKeyStateEncoderSpec(keys)
store = provider("RocksDBStateStoreProvider", keys, values, encoder, {}).getStore(0, none, False, False)
for key in ("a", "b"):
    store.put(row(key), row(f"value of {key}"), "default")
first = store.get(row("a"), "default")
before = first.getUTF8String(0).toString()
store.get(row("b"), "default")
after = first.getUTF8String(0).toString()
store.abort()
print(f"get('a') gave a row with {before!r}; after get('b') the same row has {after!r}")
sys.exit(before != after)
