import type { Supervisor } from '@landlord/sdk';
import type { OwnField, OwnFields } from '../../../request/request-fields.js';
import type { MemberShape } from '../../../request/shape.js';

type Section = Supervisor.SchemaSectionView;
type Entry = Supervisor.SchemaEntryView;
type Rule = Supervisor.SchemaRuleView;

/** The member of the request that the schema describes. */
export const VALUES = 'values';
const STREAMS = 'streams[].';
const YES_OR_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];
/** A kind that is not here is written as JSON. */
const KINDS: Readonly<Record<string, MemberShape['kind']>> = {
  ...{ integer: 'number', number: 'number', string: 'text', enum: 'text', duration: 'text', bytesize: 'text' },
  ...{ list: 'texts', integers: 'numbers' },
};

/**
 * The fields that a schema of configurations makes.
 * @param top The section whose keys stand at the top of the values, for connectors
 */
export function fieldsOf(sections: readonly Section[], top?: string): { members: MemberShape[]; own: OwnFields } {
  const fields = sections.flatMap((section) => {
    const path = section.key === top ? VALUES : `${VALUES}.${section.key}`;
    return withStreams(section.schema.filter(({ editable }) => editable)).map((entry) => ({
      member: memberOf(`${path}.${entry.key}`, entry),
      own: { label: entry.name, section: section.name, ...choicesOf(entry) } satisfies OwnField,
    }));
  });
  return {
    members: fields.map(({ member }) => member),
    own: Object.fromEntries(fields.map(({ member, own }) => [member.member, own])),
  };
}

const memberOf = (member: string, entry: Entry): MemberShape => ({
  ...{ member, option: VALUES, kind: KINDS[entry.kind] ?? 'json', text: hintOf(entry) },
  ...(entry.secret && { secret: true }),
});

function choicesOf({ kind, rules }: Entry): OwnField {
  if (kind === 'boolean') return { choices: YES_OR_NO };
  const choices = rules.find(({ rule }) => rule === 'one_of')?.value;
  if (!Array.isArray(choices)) return {};
  return { choices: choices.map((one) => ({ value: String(one), label: String(one) })) };
}

/** The members of the streams are one field, which is a list. */
function withStreams(entries: readonly Entry[]): readonly Entry[] {
  const inner = entries.filter(({ key }) => key.startsWith(STREAMS));
  const [first] = inner;
  if (!first) return entries;
  const names = inner.map(({ key, rules }) => {
    const isRequired = rules.some(({ rule }) => rule === 'required');
    return `${key.slice(STREAMS.length)}${isRequired ? ' (required)' : ''}`;
  });
  const streams: Entry = {
    ...first,
    ...{ key: 'streams', name: 'Streams', kind: 'json', default_value: [], rules: [], secret: false },
    description: `A list of objects with the members ${names.join(', ')}.`,
  };
  return entries.flatMap((entry) => (entry === first ? [streams] : inner.includes(entry) ? [] : [entry]));
}

/** Everything that the schema says about a value, in sentences. */
export function hintOf({
  description,
  default_value,
  secret,
  unit,
  rules,
  owner,
  requirements,
  ...entry
}: Entry): string {
  const sentences = [
    description,
    !secret && default_value !== null && `Default: ${wordsOf(default_value)}.`,
    rangeOf(rules, unit),
    ...rules.map(sentenceOf),
    ...requirements.map(({ key, value }) => `Needs ${key} = ${String(value)}.`),
    owner === 'admin' && 'Only owners and admins change it.',
    entry.restart_required && 'A change restarts the nodes.',
  ];
  return sentences.filter((one) => one !== false && one !== '').join(' ');
}

function rangeOf(rules: readonly Rule[], unit: Entry['unit']): string {
  const at = (name: string): string | undefined => {
    const found = rules.find(({ rule }) => rule === name);
    return found && wordsOf(found.value);
  };
  const [least, most] = [at('minimum'), at('maximum')];
  const words = [least !== undefined && `from ${least}`, most !== undefined && `to ${most}`].filter(Boolean).join(' ');
  return words === '' ? '' : `${words.charAt(0).toUpperCase()}${words.slice(1)}${unit === null ? '' : ` ${unit}`}.`;
}

const SENTENCES: Readonly<Record<string, (value: string) => string>> = {
  or: (value) => `Or ${value}.`,
  multiple_of: (value) => `A multiple of ${value}.`,
  power_of: (value) => `A power of ${value}.`,
  each_larger_than: (value) => `Each is larger than ${value}.`,
  minimum_entries: (value) => `At least ${value} entries.`,
  maximum_entries: (value) => `At most ${value} entries.`,
  known_members: (value) => `Members: ${value}.`,
  required: (value) => `Required ${value}.`,
};
/** Shown in another way: the range, the choices. A pattern says little to people, and the API gives its reason. */
const SHOWN = ['minimum', 'maximum', 'one_of', 'pattern'];

/** The value of any other rule is a sentence itself. */
function sentenceOf({ rule, value }: Rule): string {
  if (SHOWN.includes(rule)) return '';
  return SENTENCES[rule]?.(wordsOf(value)) ?? `${wordsOf(value)}.`;
}

function wordsOf(value: unknown): string {
  if (typeof value === 'number') return value.toLocaleString('en');
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  if (value === '') return 'empty';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
