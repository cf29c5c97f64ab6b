#!/bin/sh
# A wetted wall costs what Young's equation asks, once the liquid on it has settled.
set -eu
python3 "${SOURCE_DIR:?}/tools/wall_energy.py" "${BEADLET:?}" 2 60 120 | awk '
    { print; off = $3 - $2; if (off < -0.015 || off > 0.015) bad = 1 }
    END { exit bad || NR != 2 }'
