#include "templates.h"

#include <stddef.h>

static const char drop[] =
    "# A drop of water comes to rest on a plate. Any number may carry a unit; a bare number is SI.\n"
    "# All keys: beadlet new --reference\n"
    "name: resting drop\n"
    "spacing: 0.4 mm                 # distance of the particles; half of it takes 8 times as many\n"
    "gravity: [0, 0, -9.81 m/s^2]\n"
    "time:\n"
    "  end: 0.1 s\n"
    "  frames_per_second: 200\n"
    "fluids:\n"
    "  water:\n"
    "    density: 998 kg/m^3\n"
    "    viscosity: 1.0 mPa s\n"
    "    surface_tension: 72.8 mN/m\n"
    "    volumes:\n"
    "      - sphere: {center: [0, 0, 2.4 mm], radius: 2 mm}\n"
    "boundaries:\n"
    "  plate:\n"
    "    contact_angle: 90 deg       # below 90: the drop spreads, above: it beads up\n"
    "    friction: 0.2\n"
    "    shapes:\n"
    "      - plane: {normal: [0, 0, 1]}\n";

static const char slope[] =
    "# A drop sticks to a slope until the friction is taken away.\n"
    "name: drop on a slope\n"
    "spacing: 0.4 mm\n"
    "gravity: [0, 0, -9.81 m/s^2]\n"
    "time: {end: 0.3 s, frames_per_second: 200}\n"
    "fluids:\n"
    "  water:\n"
    "    density: 998 kg/m^3\n"
    "    viscosity: 1.0 mPa s\n"
    "    surface_tension: 72.8 mN/m\n"
    "    volumes:\n"
    "      - sphere: {center: [0, 0, 2.5 mm], radius: 2 mm}\n"
    "boundaries:\n"
    "  glass:\n"
    "    contact_angle: 60 deg\n"
    "    friction: {keyframes: [[0 s, 0.4], [0.2 s, 0.4], [0.25 s, 0]]}   # time, value; linear in between\n"
    "    shapes:\n"
    "      - plane: {normal: [0.3, 0, 1]}\n";

static const char free_drop[] = "# An elongated drop swings in free fall: no gravity, no walls.\n"
                                "name: swinging drop\n"
                                "spacing: 0.4 mm\n"
                                "gravity: [0, 0, 0]\n"
                                "time: {end: 0.1 s, frames_per_second: 400}\n"
                                "fluids:\n"
                                "  water:\n"
                                "    density: 998 kg/m^3\n"
                                "    viscosity: 1.0 mPa s\n"
                                "    surface_tension: 72.8 mN/m\n"
                                "    volumes:\n"
                                "      - ellipsoid: {center: [0, 0, 0], radii: [2 mm, 2 mm, 2.6 mm]}\n";

static const char collision[] = "# Two drops of different liquids meet in flight.\n"
                                "name: two drops\n"
                                "spacing: 0.4 mm\n"
                                "gravity: [0, 0, 0]\n"
                                "time: {end: 0.05 s, frames_per_second: 400}\n"
                                "fluids:\n"
                                "  water:\n"
                                "    density: 998 kg/m^3\n"
                                "    viscosity: 1.0 mPa s\n"
                                "    surface_tension: 72.8 mN/m\n"
                                "    volumes:\n"
                                "      - sphere: {center: [-2.5 mm, 0, 0], radius: 2 mm}\n"
                                "        velocity: [0.2 m/s, 0, 0]\n"
                                "  oil:\n"
                                "    density: 910 kg/m^3\n"
                                "    viscosity: 60 mPa s\n"
                                "    surface_tension: 32 mN/m\n"
                                "    volumes:\n"
                                "      - sphere: {center: [2.5 mm, 0.5 mm, 0], radius: 2 mm}\n"
                                "        velocity: [-0.2 m/s, 0, 0]\n";

static const char flat[] =
    "# The same ideas in two dimensions: fast to try things out. The plane of the drawing is x, y.\n"
    "name: flat drop\n"
    "dimension: 2\n"
    "spacing: 0.2 mm\n"
    "gravity: [0, -9.81 m/s^2, 0]\n"
    "time: {end: 0.1 s, frames_per_second: 200}\n"
    "fluids:\n"
    "  water:\n"
    "    density: 998 kg/m^3\n"
    "    viscosity: 1.0 mPa s\n"
    "    surface_tension: 72.8 mN/m\n"
    "    volumes:\n"
    "      - sphere: {center: [0, 2.2 mm, 0], radius: 2 mm}\n"
    "boundaries:\n"
    "  table:\n"
    "    contact_angle: 100 deg\n"
    "    shapes:\n"
    "      - plane: {normal: [0, 1, 0]}\n";

const tool_template tool_templates[] = {
    {"drop", "a drop comes to rest on a plate", drop},
    {"slope", "a drop sticks to a slope, then slides", slope},
    {"free", "an elongated drop swings in free fall", free_drop},
    {"collision", "two drops of different liquids meet", collision},
    {"flat", "a drop on a table in two dimensions", flat},
    {NULL, NULL, NULL},
};
