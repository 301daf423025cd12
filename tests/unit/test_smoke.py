def test_the_package_imports() -> None:
    import rockstate

    assert rockstate.__version__
