import { Button } from './button.js';
import { ButtonRow } from './button-row.js';
import { ConfirmButton } from './overlay/confirm-button.js';
import { Problem } from './problem.js';

interface Send {
  mutate: () => void;
  isPending: boolean;
  error: Error | null;
}

interface AnswerButtonsProps {
  yes: string;
  accept: Send;
  no: string;
  /** The question before a refusal. */
  question: string;
  reject: Send;
  disabledReason?: string | null;
}

/** Two answers to what another person asks. A refusal cannot be taken back, so it asks first. */
export const AnswerButtons = ({ yes, accept, no, question, reject, disabledReason = null }: AnswerButtonsProps) => (
  <>
    {accept.error && <Problem error={accept.error} />}
    <ButtonRow>
      <Button kind="primary" isBusy={accept.isPending} disabledReason={disabledReason} onPress={accept.mutate}>
        {yes}
      </Button>
      <ConfirmButton action={no} question={question} send={reject} disabledReason={disabledReason} />
    </ButtonRow>
  </>
);
