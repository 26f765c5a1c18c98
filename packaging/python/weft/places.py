"""Where the platform lies, for programs that are not pyopencl's."""
import pathlib

_HERE = pathlib.Path(__file__).parent


def library():
    """The path of libweft.so."""
    return str(_HERE / "lib" / "weft" / "libweft.so")


def weftprof():
    """The path of the program weftprof."""
    return str(_HERE / "bin" / "weftprof")


def vendors(folder):
    """Writes weft.icd to `folder`, for `OCL_ICD_VENDORS=folder`, by which any OpenCL program finds the platform. The folder's path."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "weft.icd").write_text(library() + "\n")
    return str(folder)
