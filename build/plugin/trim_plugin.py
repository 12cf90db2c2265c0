"""A plugin for Nuitka that keeps start-up short: slim modules, few codecs, only what is imported.

build/options.toml names what stays; the sources of the slim modules are in slim/.
"""

from __future__ import annotations

import inspect
import tomllib
from pathlib import Path

from nuitka.freezer import ImportDetection
from nuitka.plugins.PluginBase import NuitkaPluginBase

HERE = Path(__file__).resolve().parent


class TrimPlugin(NuitkaPluginBase):
    """Found and used by Nuitka through --user-plugin."""

    plugin_name = "trim"
    plugin_desc = "Keep start-up short."

    def __init__(self):
        options = tomllib.loads((HERE.parent / "options.toml").read_text("utf-8"))["nuitka"]
        self.codecs = frozenset(f"encodings.{name}" for name in options["codecs"])
        self.bytecode = tuple(options["bytecode"])
        self.sources = {path.stem: path.read_text("utf-8") for path in (HERE / "slim").glob("*.py")}
        self.sources["whole_inspect"] = Path(inspect.__file__).read_text("utf-8")

    def onCompilationStartChecks(self):
        """Before anything is included, narrow what Nuitka takes in unasked."""
        from nuitka.tree import Building  # not to be imported before the options are read

        found = ImportDetection.detectEarlyImports()
        kept = tuple(name for name in found if self.stays(str(name)))
        ImportDetection._early_modules_names = kept
        # Of the standard library comes what something imports, not all there is.
        Building.detectStdlibAutoInclusionModules = tuple
        self.info(
            f"{len(found) - len(kept)} of {len(found)} modules are not needed before the program starts"
        )

    def stays(self, name):
        """Whether a module that is imported before the program stays one."""
        if name.startswith("encodings."):
            return name in self.codecs
        return not name.startswith(("_codecs_", "_multibytecodec"))

    def decideCompilation(self, module_name):
        """Bytecode, or C code where that is not named."""
        return "bytecode" if module_name.hasOneOfNamespaces(*self.bytecode) else None

    def onModuleEncounter(self, using_module_name, module_name, module_filename, module_kind):
        """Leave out the other codecs wherever they are asked for."""
        if not self.stays(str(module_name)):
            return False, "not among the codecs that stay"
        return None

    def onModuleSourceCode(self, module_name, source_filename, source_code):
        """The slim source of a module that has one."""
        return self.sources.get(str(module_name), source_code)

    def getExtraCodeFiles(self):
        """Our own C code that is linked into the program."""
        return {"before_main.c": (HERE / "before_main.c").read_text("utf-8")}
