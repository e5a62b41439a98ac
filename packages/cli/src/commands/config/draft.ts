import type { Supervisor } from '@landlord/sdk';
import { yamlOf } from '../../output/yaml.js';
import { limitsOf, settingsOf, valueAt, withoutKey, withKey } from './keys.js';
import type { Values } from './target.js';

type Section = Supervisor.SchemaSectionView;

/** The values as YAML, and every other key as a comment with its default and its limits. */
export function draftOf(values: Values, schema: readonly Section[]): string {
  const settings = settingsOf(schema);
  const unknown = settings.reduce((rest, { path }) => withoutKey(rest, path), values);
  const sections = schema.flatMap((section) => {
    const editable = section.schema.filter((one) => one.editable);
    if (editable.length === 0) return [];
    const lines = editable.flatMap((entry) => {
      const value = valueAt(values, `${section.key}.${entry.key}`);
      const isSet = value !== undefined;
      const line = yamlOf({ [entry.key]: isSet ? value : entry.default_value });
      return [`# ${inOneLine(entry.description)} (${inOneLine(limitsOf(entry))})`, isSet ? line : commented(line)];
    });
    return [`${section.key}:\n${indented(lines.join('\n'))}`];
  });
  const others = Object.keys(unknown).length > 0 ? [yamlOf(unknown)] : [];
  return `${[...sections, ...others].join('\n\n')}\n`;
}

/** The values of a text that a person has edited. A section without keys is none. */
export function valuesIn(edited: Values): Values {
  let values: Values = {};
  for (const [section, keys] of Object.entries(edited)) {
    if (keys === null) continue;
    if (typeof keys !== 'object' || Array.isArray(keys)) values = { ...values, [section]: keys };
    else for (const [key, value] of Object.entries(keys)) values = withKey(values, `${section}.${key}`, value);
  }
  return values;
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
const commented = (text: string): string => text.replaceAll(/^/gm, '# ');
const indented = (text: string): string => text.replaceAll(/^/gm, '  ');
