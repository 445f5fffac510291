"""What the product is made of, and what is known against it: a bill of materials, and an audit of its parts.

Writes build/sbom.json (CycloneDX, from the lock file). Ends with 1 where a part has a known hole. Where
the package index tells nothing of vulnerabilities (a mirror, no network), it says so; `--strict` makes that a
failure.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent
BUILD = ROOT / "build"
_AUDIT_S = 300


def main() -> int:
    """Both, with their tables."""
    BUILD.mkdir(exist_ok=True)
    parts = write_bill(BUILD / "sbom.json")
    print(f"bill of materials: {parts} parts, build/sbom.json")
    audited, skipped, found = audit(BUILD / "audit.json")
    print(f"audit: {audited} parts audited, {skipped} not, {len(found)} known vulnerabilities")
    for line in found:
        print(f"  {line}")
    if not audited:
        print("audit: the package index tells nothing of vulnerabilities here; run it where PyPI is reached")
    return 1 if found or ("--strict" in sys.argv and skipped) else 0


def write_bill(path: Path) -> int:
    """The parts that the lock file names, without those of development; how many."""
    export = [str(BIN / "uv"), "export", "--frozen", "--no-dev", "--quiet", "--format", "cyclonedx1.5"]
    subprocess.run([*export, "--preview-features", "sbom-export", "-o", str(path)], cwd=ROOT, check=True)
    return len(json.loads(path.read_text())["components"])


def audit(path: Path) -> tuple[int, int, list[str]]:
    """How many parts were audited, how many could not be, and what is known against them."""
    path.unlink(missing_ok=True)
    command = [str(BIN / "pip-audit"), "--progress-spinner", "off", "--skip-editable", "--timeout", "10"]
    subprocess.run(
        [*command, "-f", "json", "-o", str(path)], capture_output=True, timeout=_AUDIT_S, check=False
    )
    if not path.exists():
        return 0, 0, []
    parts: list[dict[str, Any]] = json.loads(path.read_text())["dependencies"]
    known = [part for part in parts if "skip_reason" not in part]
    found = [f"{part['name']} {part['version']}: {v['id']}" for part in known for v in part["vulns"]]
    return len(known), len(parts) - len(known), found


if __name__ == "__main__":
    raise SystemExit(main())
