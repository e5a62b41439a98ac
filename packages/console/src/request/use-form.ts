import { useState } from 'react';
import { issuesOf } from '../ui/problem.js';
import { shapeOf, type RequestName } from './find-shape.js';
import { labelOf } from './label.js';
import type { OwnField, OwnFields } from './request-fields.js';
import type { Input, MemberShape, PathIds } from './shape.js';
import { useDraft } from './use-draft.js';
import { useRequest } from './use-request.js';
import { masked } from './written.js';
import { inputOf, missingOf, ValueError, valuesOf, type Values } from './values.js';

export interface FormOptions<Answer> {
  tenantId: number;
  request: RequestName;
  /** The ids in the path of the request. */
  ids?: PathIds;
  /** The members that have a field, in their order. Default: all of the document. */
  fields?: readonly string[];
  /** The members whose fields open on demand. */
  moreFields?: readonly string[];
  own?: OwnFields;
  /** What a schema says about a member that is any object in the document. */
  described?: { member: string; members: readonly MemberShape[] };
  /** The record that the form changes. Only changes are sent. */
  record?: Input;
  /** What the fields of a new thing have at first. */
  initial?: Input;
  /** Members that the page itself gives. */
  fixed?: Input;
  /** The Supervisor that takes the request, for requests about no deployment. */
  supervisorUrl?: string | undefined;
  onDone?: (answer: Answer) => unknown;
}

/** The fields of a form, what they contain, the input that they make, and the request with it. */
export function useForm<Answer>(options: FormOptions<Answer>) {
  const { tenantId, request, ids = {}, own = {}, described, record, initial, fixed = {} } = options;
  const isNew = record === undefined;
  const all = membersOf(options).map((one) => ownShapeOf(isNew ? withDefault(one, initial) : one, own[one.member]));
  const first = valuesOf(all, record ?? initial ?? {});
  const { change, forget, ...draft } = useDraft(`${request} ${Object.values(ids).join(' ')}`, all, first);
  const values = possible(all, draft.values);
  const [fault, setFault] = useState<ValueError | null>(null);
  const members = all.filter(({ member }) => own[member]?.when?.(values) ?? true);
  const empty = described ? { [described.member]: {} } : {};
  const read = (): Input => ({ ...empty, ...inputOf(members, values, record ? first : {}), ...fixed });
  const send = useRequest<Answer>({
    ...{ tenantId, name: request, ids, input: read, supervisorUrl: options.supervisorUrl, isGuarded: !isNew },
    onDone: async (answer) => {
      forget();
      await options.onDone?.(answer);
    },
  });
  const tried = attempt(read);
  return {
    ...{ members, values, change, send },
    /** Whether the values can be sent. Otherwise the field says why not. */
    check: (): boolean => {
      setFault(tried instanceof ValueError ? tried : null);
      return !(tried instanceof ValueError);
    },
    /** What is shown beside the form: without secrets. */
    input: masked(members, tried instanceof ValueError ? fixed : tried),
    issues: { ...changedIssues(draft.changedMeanwhile, record), ...issuesOf(send.error), ...issueOf(fault) },
    missing: missingIn(members, values, own) ?? (record && Object.keys(tried).length === 0 ? SAME : null),
  };
}

/** A choice that does not exist any more, such as a region of another cloud, is no choice. Until choices are known, it stays. */
const possible = (members: readonly MemberShape[], values: Values): Values => ({
  ...values,
  ...Object.fromEntries(
    members.flatMap(({ member, kind, choices = [] }) => {
      const value = values[member];
      const isKnown = choices.length === 0 || typeof value !== 'string' || choices.map(String).includes(value);
      return isKnown || kind === 'texts' || kind === 'numbers' ? [] : [[member, '']];
    }),
  ),
});

/** What a new thing has at first can change with other fields, and nobody else changed it. */
const changedIssues = (changed: Values, record: Input | undefined): Readonly<Record<string, string>> =>
  record === undefined
    ? {}
    : Object.fromEntries(
        Object.entries(changed).map(([member, value]) => [member, `Somebody else changed this to "${String(value)}".`]),
      );

const issueOf = (fault: ValueError | null): Readonly<Record<string, string>> =>
  fault === null ? {} : { [fault.member]: fault.message };

const SAME = 'Nothing has changed.';

function attempt(read: () => Input): Input | ValueError {
  try {
    return read();
  } catch (error) {
    if (error instanceof ValueError) return error;
    throw error;
  }
}

/** The first required field without a value, in words. */
function missingIn(members: readonly MemberShape[], values: Values, own: OwnFields): string | null {
  const [first] = missingOf(members, values);
  return first ? `${own[first.member]?.label ?? labelOf(first.member)} is missing.` : null;
}

/** A checkbox would say no where a new thing has another default. */
const withDefault = (shape: MemberShape, initial: Input = {}): MemberShape =>
  shape.kind === 'flag' && shape.required !== true && !(shape.member in initial) && !/default false/i.test(shape.text)
    ? { ...shape, choices: ['true', 'false'] }
    : shape;

const ownShapeOf = (shape: MemberShape, { isSecret, isRequired, kind, choices }: OwnField = {}): MemberShape => ({
  ...shape,
  ...(isSecret === true && { secret: true }),
  ...(kind !== undefined && { kind }),
  ...(isRequired === true && { required: true }),
  ...(choices && { choices: choices.map(({ value }) => value) }),
});

/** The members with a field. A schema can say more about one of them. */
const membersOf = <Answer>(options: FormOptions<Answer>): readonly MemberShape[] =>
  chosenOf(options).flatMap((one) => (one.member === options.described?.member ? options.described.members : [one]));

function chosenOf<Answer>({ request, fields, moreFields = [] }: FormOptions<Answer>): readonly MemberShape[] {
  const { members } = shapeOf(request);
  return fields === undefined
    ? members
    : [...fields, ...moreFields].flatMap((name) =>
        members.filter(({ member }) => member === name || member.startsWith(`${name}.`)),
      );
}
