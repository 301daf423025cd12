"""A snapshot of a history that was replaced is loaded in place of the new one: needs only PySpark 4.2.

Shown with HDFSBackedStateStoreProvider, and with RocksDBStateStoreProvider, changelog and checkpoint format 1. Ends
with 1 if it is so, and with 0 if that is mended.
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
confs = {
    "spark.sql.streaming.stateStore.minDeltasForSnapshot": "2",
    "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
}


def rows(name, version):
    """The keys of a version, loaded by an executor that has never seen the store."""
    fresh = provider(name, keys, values, encoder, confs)
    store = fresh.getStore(version, none, False, False)
    iterator = store.iterator("default")
    found = []
    while iterator.hasNext():
        found.append(iterator.next().key().getUTF8String(0).toString())
    store.abort()
    fresh.close()
    return sorted(found)


def commit(of, version, key):
    store = of.getStore(version, none, False, False)
    store.put(row(key), row("v"), "default")
    store.commit()
    of.doMaintenance()


wrong = 0
for name in ("HDFSBackedStateStoreProvider", "RocksDBStateStoreProvider"):
    folder = tempfile.mkdtemp()
    query = provider(name, keys, values, encoder, confs)
    for version in range(6):  # versions 1 to 6, with snapshots
        commit(query, version, f"old{version + 1}")
    query.close()
    again = provider(name, keys, values, encoder, confs)  # the query goes back to version 2, and reads other rows
    for version in range(2, 6):
        store = again.getStore(version, none, False, False)
        store.put(row(f"new{version + 1}"), row("v"), "default")
        store.commit()
    again.close()
    for version in range(3, 7):
        wanted = sorted(["old1", "old2", *(f"new{n}" for n in range(3, version + 1))])
        found = rows(name, version)
        if found != wanted:
            wrong += 1
            print(f"{name}: version {version} has {found}, not {wanted}")
print(
    "Every version has the rows of its own history" if not wrong else f"{wrong} versions have rows of the replaced one"
)
sys.exit(wrong > 0)
