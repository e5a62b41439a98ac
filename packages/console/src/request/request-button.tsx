import { Button } from '../ui/button.js';
import { ConfirmButton } from '../ui/overlay/confirm-button.js';
import { Problem } from '../ui/problem.js';
import { shapeOf, type RequestName } from './find-shape.js';
import type { Input, PathIds } from './shape.js';
import { useMissing, type Scope } from './use-missing.js';
import { useRequest } from './use-request.js';

export interface RequestButtonProps<Answer> {
  tenantId: number;
  request: RequestName;
  ids?: PathIds;
  input?: Input;
  /** The text of the button. */
  action: string;
  /** Default: `danger` with a question, otherwise `plain`. */
  kind?: 'plain' | 'primary' | 'danger';
  /** Asked before the request is sent. For what cannot be undone, or interrupts something. */
  question?: string;
  scope?: Scope;
  disabledReason?: string | null;
  onDone?: (answer: Answer) => unknown;
}

/** A button for a request without fields. */
export function RequestButton<Answer = unknown>(props: RequestButtonProps<Answer>) {
  const { tenantId, request, ids = {}, input = {}, action, question, scope, onDone } = props;
  const refusal = useMissing(tenantId, shapeOf(request).permission, scope);
  const send = useRequest<Answer>({ tenantId, name: request, ids, input: () => input, onDone });
  const disabledReason = refusal ?? props.disabledReason ?? null;
  const { kind = question === undefined ? 'plain' : 'danger' } = props;
  if (question !== undefined) return <ConfirmButton {...{ action, kind, question, send, disabledReason }} />;
  return (
    <>
      <Button kind={kind} isBusy={send.isPending} disabledReason={disabledReason} onPress={send.mutate}>
        {action}
      </Button>
      {send.error && <Problem error={send.error} />}
    </>
  );
}
