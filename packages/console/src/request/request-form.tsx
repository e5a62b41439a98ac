import { useState, type ComponentProps, type ReactNode } from 'react';
import { Confirm } from '../ui/confirm.js';
import { Disclosure } from '../ui/disclosure.js';
import { Form } from '../ui/form/form.js';
import { shapeOf } from './find-shape.js';
import { RequestFields } from './request-fields.js';
import styles from './request.module.css';
import type { Input, MemberShape } from './shape.js';
import { useForm, type FormOptions } from './use-form.js';
import { useMissing, type Scope } from './use-missing.js';
import type { Values } from './values.js';
import { WrittenRequest } from './written-request.js';

interface RequestFormProps<Answer> extends FormOptions<Answer> {
  /** The text of the button. */
  action: string;
  kind?: 'primary' | 'danger';
  /** The text after a success. */
  done?: string;
  /** Asked before the request is sent. For what cannot be undone. */
  question?: string;
  /** Where the caller needs the permission of the request. Default: in the organization. */
  scope?: Scope;
  disabledReason?: string | null;
  /** For a page whose choices depend on a value. */
  onChange?: (values: Values) => void;
  /** Shown above the button, from the current values. */
  children?: (values: Values, input: Input) => ReactNode;
}

/** A form for a request of the API. The fields come from the OpenAPI document. Beside them is the request as other clients send it. */
export function RequestForm<Answer = unknown>(props: RequestFormProps<Answer>) {
  const {
    tenantId,
    request,
    ids = {},
    own = {},
    action,
    kind = 'primary',
    question,
    moreFields = [],
    done = 'Done.',
    children,
  } = props;
  const shape = shapeOf(request);
  const [isAsking, setAsking] = useState(false);
  const { members, values, change: put, send, check, input, issues, missing } = useForm(props);
  const refusal = useMissing(tenantId, shape.permission, props.scope);
  const change = (changed: Values): void => {
    put(changed);
    props.onChange?.({ ...values, ...changed });
  };
  const mutate = (): void => {
    if (!check()) return;
    if (question === undefined) send.mutate();
    else setAsking(true);
  };
  const disabledReason = refusal ?? props.disabledReason ?? missing;
  const confirmed = { ...send, mutate: () => send.mutate(() => setAsking(false)) };
  return (
    <div className={styles['columns']}>
      <Form {...{ action, kind, disabledReason }} send={{ ...send, mutate }}>
        <FormFields {...{ members, moreFields, own, values, issues }} onChange={change} />
        {children?.(values, input)}
        {send.isSuccess && <p role="status">{done}</p>}
      </Form>
      {isAsking && <Confirm title={question ?? ''} action={action} send={confirmed} onClose={() => setAsking(false)} />}
      <WrittenRequest shape={shape} tenantId={tenantId} ids={ids} input={input} />
    </div>
  );
}

interface FormFieldsProps extends ComponentProps<typeof RequestFields> {
  moreFields: readonly string[];
}

/** Fields that most people leave as they are open on demand. */
function FormFields({ members, moreFields, ...rest }: FormFieldsProps) {
  const isMore = ({ member }: MemberShape): boolean =>
    moreFields.some((name) => member === name || member.startsWith(`${name}.`));
  const more = members.filter(isMore);
  return (
    <>
      <RequestFields members={members.filter((one) => !isMore(one))} {...rest} />
      {more.length > 0 && (
        <Disclosure title="More choices">
          <RequestFields members={more} {...rest} />
        </Disclosure>
      )}
    </>
  );
}
