"""A scan that meets a damaged block of a table file ends there, without an error: needs only PySpark 4.2.

RocksDBStateStoreProvider. Ends with 1 if it is so, and with 0 if that is mended.
"""

# mypy: ignore-errors
import sys
import tempfile
import uuid
from pathlib import Path

from pyspark.sql import SparkSession

spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
spark.sparkContext.setLogLevel("OFF")
spark.streams  # noqa: B018 - makes the coordinator that stores report to
jvm = spark._jvm
state = jvm.org.apache.spark.sql.execution.streaming.state
none = getattr(jvm.scala, "None$").__getattr__("MODULE$")
folder = tempfile.mkdtemp()
WRITTEN = 5000


def schema(ddl):
    return jvm.org.apache.spark.sql.types.StructType.fromDDL(ddl)


def row(text):
    """An UnsafeRow of its own."""
    writer = jvm.org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1)
    writer.reset()
    writer.zeroOutNullBytes()
    writer.write(0, jvm.org.apache.spark.unsafe.types.UTF8String.fromString(text))
    return writer.getRow().copy()


def provider():
    """A new instance, as an executor that has never seen the store makes it."""
    conf = jvm.org.apache.spark.sql.internal.SQLConf()
    conf.setConfString("spark.sql.streaming.stateStore.providerClass", state.RocksDBStateStoreProvider._fqn)
    hadoop = spark._jsc.hadoopConfiguration()
    hadoop.set("sql.streaming.runId", str(uuid.uuid4()))
    store = state.StateStoreProviderId(state.StateStoreId(folder, 0, 0, "default"), jvm.java.util.UUID.randomUUID())
    options = state.StateStoreConf(conf, jvm.PythonUtils.toScalaMap({}))
    keys, values = schema("k STRING"), schema("v STRING")
    encoder = state.NoPrefixKeyStateEncoderSpec(keys)
    companion = state.__getattr__("StateStoreProvider$").__getattr__("MODULE$")
    return companion.createAndInit(store, keys, values, encoder, False, options, hadoop, False, none)


query = provider()
store = query.getStore(0, none, False, False)
value = row("some value")
for number in range(WRITTEN):
    store.put(row(f"key {number:04d}"), value, "default")
store.commit()
query.doMaintenance()
query.close()

(table,) = Path(folder).glob("0/0/SSTs/*.sst")
damaged = bytearray(table.read_bytes())
damaged[len(damaged) // 4] ^= 1
table.write_bytes(damaged)
for checksums in table.parent.glob(".*.crc"):  # those of Hadoop's local files; other storage has no such second look
    checksums.unlink()

try:
    fresh = provider()
    iterator, found = fresh.getStore(1, none, False, False).iterator("default"), 0
    while iterator.hasNext():
        iterator.next()
        found += 1
except Exception as e:
    print("Refused, as it should be:", str(e.java_exception).split("\n")[0][:160])
    sys.exit(0)
print(f"Of {WRITTEN} keys a scan gave {found}, and ended without an error")
sys.exit(found < WRITTEN)
