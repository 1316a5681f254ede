/** What can be done to the form of a configuration; each gives a new form. */

import type { Arguments, Catalogue, ConfigForm, Difference, PluginPlace, ProfileForm } from "../api/profiles";

/** The extension points as columns: where a pod waits, which nodes fit, which is best, how it is bound. */
export const COLUMNS: readonly (readonly string[])[] = [
  ["preEnqueue", "queueSort"],
  ["preFilter"],
  ["filter"],
  ["postFilter"],
  ["preScore"],
  ["score"],
  ["reserve", "permit"],
  ["preBind", "bind", "postBind"],
];

export function changeProfile(form: ConfigForm, at: number, how: (profile: ProfileForm) => ProfileForm): ConfigForm {
  return { ...form, profiles: form.profiles.map((profile, index) => (index === at ? how(profile) : profile)) };
}

function changePoint(form: ConfigForm, at: number, point: string, how: (places: readonly PluginPlace[]) => PluginPlace[]): ConfigForm {
  return changeProfile(form, at, (profile) => ({ ...profile, points: { ...profile.points, [point]: how(profile.points[point] ?? []) } }));
}

/** Puts a plugin at another place of its extension point. */
export function movePlugin(form: ConfigForm, at: number, point: string, name: string, to: number): ConfigForm {
  return changePoint(form, at, point, (places) => {
    const place = places.find((one) => one.name === name);
    const rest = places.filter((one) => one.name !== name);
    return place ? [...rest.slice(0, Math.max(0, to)), place, ...rest.slice(Math.max(0, to))] : [...places];
  });
}

export function turnOff(form: ConfigForm, at: number, points: readonly string[], name: string): ConfigForm {
  return points.reduce((made, point) => changePoint(made, at, point, (places) => places.filter((one) => one.name !== name)), form);
}

/** Lets a plugin serve again where it can, before those that by default come after it. */
export function turnOn(form: ConfigForm, at: number, points: readonly string[], name: string, catalogue: Catalogue): ConfigForm {
  return points.reduce(
    (made, point) =>
      changePoint(made, at, point, (places) => {
        if (places.some((one) => one.name === name)) return [...places];
        const usual = (catalogue.points[point] ?? []).map((one) => one.name);
        const later = new Set(usual.slice(usual.indexOf(name) + 1));
        const before = places.findIndex((one) => later.has(one.name));
        const weight = catalogue.plugins.find((plugin) => plugin.name === name)?.defaultWeight || 1;
        const place = point === "score" ? { name, weight } : { name };
        return before < 0 ? [...places, place] : [...places.slice(0, before), place, ...places.slice(before)];
      }),
    form,
  );
}

export function setWeight(form: ConfigForm, at: number, name: string, weight: number): ConfigForm {
  return changePoint(form, at, "score", (places) => places.map((place) => (place.name === name ? { ...place, weight } : place)));
}

/** Who can serve at a point and does not. */
export function offAt(profile: ProfileForm, point: string, catalogue: Catalogue): string[] {
  const on = new Set((profile.points[point] ?? []).map((place) => place.name));
  return catalogue.plugins.filter((plugin) => plugin.points.includes(point) && !on.has(plugin.name)).map((plugin) => plugin.name);
}

/** A plugin's arguments with the defaults in them. */
export function argumentsOf(profile: ProfileForm, name: string, catalogue: Catalogue): Arguments {
  const usual = catalogue.plugins.find((plugin) => plugin.name === name)?.defaultArgs ?? {};
  return merged(usual, profile.args[name] ?? {});
}

/** Sets one argument; what is the default anyway is left out. */
export function setArgument(form: ConfigForm, at: number, name: string, path: readonly string[], value: unknown, catalogue: Catalogue): ConfigForm {
  return changeProfile(form, at, (profile) => {
    const usual = catalogue.plugins.find((plugin) => plugin.name === name)?.defaultArgs ?? {};
    const own = differing(withValue(argumentsOf(profile, name, catalogue), path, value), usual);
    const args = { ...profile.args, [name]: own };
    if (Object.keys(own).length === 0) delete args[name];
    return { ...profile, args };
  });
}

/** Another profile like this one, under a name that nobody has. */
export function addProfile(form: ConfigForm, like: number): ConfigForm {
  const model = form.profiles[like]!;
  const taken = new Set(form.profiles.map((profile) => profile.schedulerName));
  let number = 2;
  while (taken.has(`${model.schedulerName}-${number}`)) number += 1;
  return { ...form, profiles: [...form.profiles, { ...model, schedulerName: `${model.schedulerName}-${number}` }] };
}

export function removeProfile(form: ConfigForm, at: number): ConfigForm {
  return { ...form, profiles: form.profiles.filter((_, index) => index !== at) };
}

/** What differs of a plugin at a point, in words. */
export function differencesAt(differences: readonly Difference[], profile: string, point: string, plugin: string): Difference[] {
  return differences.filter((one) => one.profile === profile && one.point === point && one.plugin === plugin);
}

/** The smallest round end of a scale that a weight and what else is on it lie within. */
export function scaleEnd(...values: number[]): number {
  const most = Math.max(...values, 1);
  for (let end = 10; ; end *= 10) {
    for (const step of [end, 2 * end, 5 * end]) if (most <= step) return step;
  }
}

/** Where such a scale begins: at 1, as weights usually do, or at a round number below those that are negative. */
export function scaleStart(...values: number[]): number {
  const least = Math.min(...values, 0);
  return least < 0 ? -scaleEnd(-least) : 1;
}

function isPlain(value: unknown): value is Arguments {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function merged(usual: Arguments, own: Arguments): Arguments {
  const found: Arguments = { ...usual };
  for (const [key, value] of Object.entries(own)) {
    const other = found[key];
    found[key] = isPlain(value) && isPlain(other) ? merged(other, value) : value;
  }
  return found;
}

function differing(value: Arguments, usual: Arguments): Arguments {
  const found: Arguments = {};
  for (const [key, item] of Object.entries(value)) {
    const other = usual[key];
    if (isPlain(item) && isPlain(other)) {
      const inner = differing(item, other);
      if (Object.keys(inner).length) found[key] = inner;
    } else if (item !== undefined && JSON.stringify(item) !== JSON.stringify(other)) found[key] = item;
  }
  return found;
}

function withValue(args: Arguments, [key = "", ...rest]: readonly string[], value: unknown): Arguments {
  if (rest.length === 0) return { ...args, [key]: value };
  const inner = args[key];
  return { ...args, [key]: withValue(isPlain(inner) ? inner : {}, rest, value) };
}
