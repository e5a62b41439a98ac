import { useParams } from '@tanstack/react-router';
import { useEffect, useState, type ComponentProps, type ReactNode } from 'react';
import { Confirm } from '../ui/overlay/confirm.js';
import { Disclosure } from '../ui/overlay/disclosure.js';
import { Form } from '../ui/form/form.js';
import { shapeOf } from './find-shape.js';
import { RequestFields } from './request-fields.js';
import styles from './request.module.css';
import type { Input, MemberShape, PathIds, RequestShape } from './shape.js';
import { useForm, type FormOptions } from './use-form.js';
import { useMissing, type Scope } from './use-missing.js';
import type { Values } from './values.js';
import { Code } from '../ui/text/code.js';
import { Tabs } from '../ui/tabs.js';
import { written } from './written.js';

export interface RequestFormProps<Answer> extends FormOptions<Answer> {
  /** The text of the button. */
  action: string;
  kind?: 'primary' | 'danger';
  /** The text after a success. */
  done?: string;
  /** Asked before the request is sent. For what cannot be undone, or interrupts something. A function has a question only for some inputs. */
  question?: string | ((input: Input) => string | undefined);
  /** Where the caller needs the permission of the request. Default: in the organization. */
  scope?: Scope;
  disabledReason?: string | null;
  /** For a page whose choices depend on a value: gets the values at first, which a draft can have, and after each change. */
  onChange?: (values: Values) => void;
  /** Shown above the button, from the current values. It can change them. */
  children?: (values: Values, input: Input, change: (changed: Values) => void) => ReactNode;
}

/** A form for a request of the API. The fields come from the OpenAPI document. Beside them is the request as other clients send it. */
export function RequestForm<Answer = unknown>(props: RequestFormProps<Answer>) {
  const place: unknown = useParams({ strict: false });
  // What was typed for one record, and the answer about it, must not be shown for another one.
  const key = JSON.stringify([props.request, place, props.record && props.ids]);
  return <FormOfOneThing<Answer> key={key} {...props} />;
}

function FormOfOneThing<Answer>(props: RequestFormProps<Answer>) {
  const { tenantId, request, ids = {}, own = {}, moreFields, done = 'Done.', children } = props;
  const { action, kind = 'primary' } = props;
  const shape = shapeOf(request);
  const { isAsking, setAsking, question, mutate, change, ...form } = useAskingForm(props);
  const { members, values, send, input, issues } = form;
  const refusal = useMissing(tenantId, shape.permission, props.scope);
  const disabledReason = refusal ?? props.disabledReason ?? form.missing;
  return (
    <div className={styles['columns']}>
      <Form
        {...{ action, kind, disabledReason }}
        isAsking={question !== undefined}
        send={{ ...send, mutate, error: isAsking ? null : send.error }}
      >
        <FormFields {...{ members, moreFields, own, values, issues }} onChange={change} />
        {children?.(values, input, change)}
        {send.isSuccess && <p role="status">{done}</p>}
      </Form>
      {isAsking && <Confirm {...{ title: question ?? '', action, kind, send }} onClose={() => setAsking(false)} />}
      <WrittenRequest shape={shape} tenantId={tenantId} ids={ids} input={input} />
    </div>
  );
}

/** A form that asks its question before it sends. */
function useAskingForm<Answer>(props: RequestFormProps<Answer>) {
  const [isAsking, setAsking] = useState(false);
  const form = useForm({
    ...props,
    onDone: async (answer: Answer): Promise<void> => {
      setAsking(false);
      await props.onDone?.(answer);
    },
  });
  const { values } = form;
  const question = typeof props.question === 'function' ? props.question(form.input) : props.question;
  useEffect(() => props.onChange?.(values), [JSON.stringify(values)]);
  const mutate = (): void => {
    if (!form.check()) return;
    if (question === undefined) form.send.mutate();
    else setAsking(true);
  };
  return { ...form, isAsking, setAsking, question, mutate };
}

interface FormFieldsProps extends ComponentProps<typeof RequestFields> {
  moreFields: readonly string[] | undefined;
}

/** Fields that most people leave as they are open on demand. */
function FormFields({ members, moreFields = [], ...rest }: FormFieldsProps) {
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

interface WrittenRequestProps {
  shape: RequestShape;
  tenantId: number;
  ids: PathIds;
  input: Input;
}

/** The request of a form as a command, as JSON and for Terraform. */
function WrittenRequest({ shape, tenantId, ids, input }: WrittenRequestProps) {
  const { command, request, terraform } = written(shape, tenantId, ids, input);
  return (
    <section className={styles['written']} aria-label="The same by other ways">
      <Tabs
        label="The same by other ways"
        tabs={[
          { name: 'Command', content: <Code label="Command" text={command} /> },
          { name: 'JSON', content: <Code label="Request" text={request} /> },
          ...(terraform === null ? [] : [{ name: 'Terraform', content: <Code label="Terraform" text={terraform} /> }]),
        ]}
      />
    </section>
  );
}
