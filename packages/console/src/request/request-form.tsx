import { useState, type ReactNode } from 'react';
import { Confirm } from '../ui/confirm.js';
import { Form } from '../ui/form/form.js';
import { issuesOf } from '../ui/problem.js';
import { shapeOf, type RequestName } from './find-shape.js';
import { labelOf } from './label.js';
import styles from './request.module.css';
import { RequestFields, type OwnField, type OwnFields } from './request-fields.js';
import type { Input, MemberShape, PathIds } from './shape.js';
import { useDraft } from './use-draft.js';
import { useMissing, type Scope } from './use-missing.js';
import { useRequest } from './use-request.js';
import { inputOf, missingOf, ValueError, valuesOf, type Values } from './values.js';
import { WrittenRequest } from './written-request.js';
import { masked } from './written.js';

export interface RequestFormProps<Answer> {
  tenantId: number;
  request: RequestName;
  /** The ids in the path of the request. */
  ids?: PathIds;
  /** The members that have a field, in their order. Default: all of the document. */
  fields?: readonly string[];
  own?: OwnFields;
  /** What a schema says about a member that is any object in the document. */
  described?: { member: string; members: readonly MemberShape[] };
  /** The record that the form changes. Only changes are sent. */
  record?: Input;
  /** What the fields of a new thing have at first. */
  initial?: Input;
  /** Members that the page itself gives. */
  fixed?: Input;
  /** The text of the button. */
  action: string;
  kind?: 'primary' | 'danger';
  /** Asked before the request is sent. For what cannot be undone. */
  question?: string;
  /** Where the caller needs the permission of the request. Default: in the organization. */
  scope?: Scope;
  disabledReason?: string | null;
  onDone?: (answer: Answer) => unknown;
  /** Shown above the button, from the current values. It can change them. */
  children?: (values: Values, input: Input, change: (changed: Values) => void) => ReactNode;
}

/** A form for a request of the API. The fields come from the OpenAPI document. Beside them is the request as other clients send it. */
export function RequestForm<Answer = unknown>(props: RequestFormProps<Answer>) {
  const { tenantId, request, ids = {}, own = {}, scope, disabledReason = null } = props;
  const shape = shapeOf(request);
  const [isAsking, setAsking] = useState(false);
  const form = useForm(props);
  const refusal = useMissing(tenantId, shape.permission, scope);
  const send = useRequest<Answer>({
    ...{ tenantId, name: request, ids, input: form.read },
    onDone: async (answer) => {
      form.forget();
      setAsking(false);
      await props.onDone?.(answer);
    },
  });
  const checked = useChecked(form, () => (props.question === undefined ? send.mutate() : setAsking(true)));
  const issues = { ...issuesOf(send.error), ...checked.issues };
  const input = masked(form.members, form.preview());
  return (
    <div className={styles['columns']}>
      <Form
        action={props.action}
        send={{ ...send, mutate: checked.mutate, error: isAsking ? null : send.error }}
        disabledReason={refusal ?? disabledReason ?? form.lacking}
        {...(props.kind && { kind: props.kind })}
      >
        <RequestFields {...{ members: form.members, own, values: form.values, issues }} onChange={form.change} />
        {props.children?.(form.values, input, form.change)}
      </Form>
      {isAsking && (
        <Confirm title={props.question ?? ''} action={props.action} send={send} onClose={() => setAsking(false)} />
      )}
      <WrittenRequest shape={shape} tenantId={tenantId} ids={ids} input={input} />
    </div>
  );
}

/** Sends only what can be sent. What cannot is named at its field. */
function useChecked(form: { fault: () => ValueError | null }, send: () => void) {
  const [fault, setFault] = useState<ValueError | null>(null);
  return {
    issues: fault ? { [fault.member]: fault.message } : {},
    mutate: (): void => {
      const unsendable = form.fault();
      setFault(unsendable);
      if (unsendable === null) send();
    },
  };
}

/** The fields of a form, what they contain, and the input that they make. */
function useForm<Answer>(props: RequestFormProps<Answer>) {
  const { request, ids, own = {}, described, record, initial, fixed = {} } = props;
  const all = membersOf(props).map((one) => ownShapeOf(one, own[one.member]));
  const first = valuesOf(all, record ?? initial ?? {});
  const { values, change, forget } = useDraft(`${request} ${Object.values(ids ?? {}).join(' ')}`, all, first);
  const members = all.filter(({ member }) => own[member]?.when?.(values) ?? true);
  const empty = described ? { [described.member]: {} } : {};
  const read = (): Input => ({ ...empty, ...inputOf(members, values, record ? first : {}), ...fixed });
  const attempt = (): Input | ValueError => {
    try {
      return read();
    } catch (error) {
      if (error instanceof ValueError) return error;
      throw error;
    }
  };
  const tried = attempt();
  const isSame = record !== undefined && Object.keys(tried).length === 0;
  return {
    ...{ members, values, change, forget, read },
    fault: () => (tried instanceof ValueError ? tried : null),
    lacking: missingIn(members, values, own) ?? (isSame ? SAME : null),
    preview: () => (tried instanceof ValueError ? fixed : tried),
  };
}

const SAME = 'Nothing has changed.';

function missingIn(members: readonly MemberShape[], values: Values, own: OwnFields): string | null {
  const [missing] = missingOf(members, values);
  return missing ? `${own[missing.member]?.label ?? labelOf(missing.member)} is missing.` : null;
}

/** The members with a field. A schema can say more about one of them. */
const membersOf = <Answer,>({ request, fields, described }: RequestFormProps<Answer>): readonly MemberShape[] =>
  chosenOf(shapeOf(request).members, fields).flatMap((one) =>
    one.member === described?.member ? described.members : [one],
  );

const ownShapeOf = (shape: MemberShape, { isSecret, choices }: OwnField = {}): MemberShape => ({
  ...shape,
  ...(isSecret === true && { secret: true }),
  ...(choices && { choices: choices.map(({ value }) => value) }),
});

const chosenOf = (members: readonly MemberShape[], fields: readonly string[] | undefined): readonly MemberShape[] =>
  fields === undefined
    ? members
    : fields.flatMap((name) => members.filter(({ member }) => member === name || member.startsWith(`${name}.`)));
