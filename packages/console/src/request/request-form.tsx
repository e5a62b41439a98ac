import { useState, type ReactNode } from 'react';
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

interface RequestFormProps<Answer> {
  tenantId: number;
  request: RequestName;
  /** The ids in the path of the request. */
  ids?: PathIds;
  /** The members that have a field, in their order. Default: all of the document. */
  fields?: readonly string[];
  own?: OwnFields;
  /** The record that the form changes. Only changes are sent. */
  record?: Input;
  /** What the fields of a new thing have at first. */
  initial?: Input;
  /** Members that the page itself gives. */
  fixed?: Input;
  /** The text of the button. */
  action: string;
  kind?: 'primary' | 'danger';
  /** Where the caller needs the permission of the request. Default: in the organization. */
  scope?: Scope;
  disabledReason?: string | null;
  onDone?: (answer: Answer) => unknown;
  /** Shown above the button, from the current values. */
  children?: (values: Values, input: Input) => ReactNode;
}

/** A form for a request of the API. The fields come from the OpenAPI document. Beside them is the request as other clients send it. */
export function RequestForm<Answer = unknown>(props: RequestFormProps<Answer>) {
  const { tenantId, request, ids = {}, own = {}, scope, disabledReason = null } = props;
  const shape = shapeOf(request);
  const [fault, setFault] = useState<ValueError | null>(null);
  const form = useForm(props);
  const refusal = useMissing(tenantId, shape.permission, scope);
  const send = useRequest<Answer>({
    ...{ tenantId, name: request, ids, input: form.read },
    onDone: async (answer) => {
      form.forget();
      await props.onDone?.(answer);
    },
  });
  const mutate = (): void => {
    const unsendable = form.fault();
    setFault(unsendable);
    if (unsendable === null) send.mutate();
  };
  const issues = { ...issuesOf(send.error), ...(fault && { [fault.member]: fault.message }) };
  const input = form.preview();
  return (
    <div className={styles['columns']}>
      <Form
        action={props.action}
        kind={props.kind ?? 'primary'}
        send={{ ...send, mutate }}
        disabledReason={refusal ?? disabledReason ?? missingIn(form, own)}
      >
        <RequestFields {...{ members: form.members, own, values: form.values, issues }} onChange={form.change} />
        {props.children?.(form.values, input)}
      </Form>
      <WrittenRequest shape={shape} tenantId={tenantId} ids={ids} input={input} />
    </div>
  );
}

/** The first required field without a value, in words. */
function missingIn(
  { members, values }: Pick<ReturnType<typeof useForm>, 'members' | 'values'>,
  own: OwnFields,
): string | null {
  const [first] = missingOf(members, values);
  return first ? `${own[first.member]?.label ?? labelOf(first.member)} is missing.` : null;
}

/** The fields of a form, what they contain, and the input that they make. */
function useForm<Answer>({ request, ids, fields, own = {}, record, initial, fixed = {} }: RequestFormProps<Answer>) {
  const all = chosenOf(shapeOf(request).members, fields).map((one) => ownShapeOf(one, own[one.member]));
  const first = valuesOf(all, record ?? initial ?? {});
  const { values, change, forget } = useDraft(`${request} ${Object.values(ids ?? {}).join(' ')}`, all, first);
  const members = all.filter(({ member }) => own[member]?.when?.(values) ?? true);
  const read = (): Input => ({ ...inputOf(members, values, record ? first : {}), ...fixed });
  const attempt = (): Input | ValueError => {
    try {
      return read();
    } catch (error) {
      if (error instanceof ValueError) return error;
      throw error;
    }
  };
  const tried = attempt();
  return {
    ...{ members, values, change, forget, read },
    fault: () => (tried instanceof ValueError ? tried : null),
    preview: () => (tried instanceof ValueError ? fixed : tried),
  };
}

const ownShapeOf = (shape: MemberShape, { isSecret, isRequired, kind, choices }: OwnField = {}): MemberShape => ({
  ...shape,
  ...(isSecret === true && { secret: true }),
  ...(kind !== undefined && { kind }),
  ...(isRequired === true && { required: true }),
  ...(choices && { choices: choices.map(({ value }) => value) }),
});

const chosenOf = (members: readonly MemberShape[], fields: readonly string[] | undefined): readonly MemberShape[] =>
  fields === undefined
    ? members
    : fields.flatMap((name) => members.filter(({ member }) => member === name || member.startsWith(`${name}.`)));
