import type { MemberShape } from './shape.js';
import type { Values } from './values.js';

/** What a person typed, and what the record had at that moment. */
export interface Draft {
  typed: Values;
  before: Values;
}

export const NO_DRAFT: Draft = { typed: {}, before: {} };

/** The draft after a change. A value that the record has, too, is no draft: it follows the record again. */
export function drafted(draft: Draft, changed: Values, record: Values): Draft {
  const names = Object.keys({ ...draft.typed, ...changed });
  const typed = { ...draft.typed, ...changed };
  const kept = names.filter((name) => !isSame(typed[name], record[name]));
  return {
    typed: only(typed, kept),
    before: only({ ...record, ...draft.before, ...only(record, Object.keys(changed)) }, kept),
  };
}

/** The part of a draft that may be stored. */
export function storable(members: readonly MemberShape[], { typed, before }: Draft): Draft {
  const names = members.filter(({ secret, unstored }) => secret !== true && unstored !== true);
  const kept = names.map(({ member }) => member).filter((member) => member in typed);
  return { typed: only(typed, kept), before: only(before, kept) };
}

/** Member → the value that somebody else gave to it since the person typed another one. */
export const changedMeanwhile = ({ typed, before }: Draft, record: Values): Values =>
  only(
    record,
    Object.keys(before).filter((name) => !isSame(record[name], before[name]) && !isSame(record[name], typed[name])),
  );

const only = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])));
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
