import { kindOf, wordsOf } from './states.js';
import styles from './status.module.css';

interface StatusProps {
  of: string;
  /** Work that is running is not at its end. A node that is running is well. */
  isWork?: boolean;
}

/** A state in words. The colour only repeats the word. */
export const Status = ({ of: state, isWork = false }: StatusProps) => (
  <span className={`${styles['status']} ${styles[kindOf(state, isWork)] ?? ''}`}>{wordsOf(state)}</span>
);

/** A state with its reason below. */
export const Explained = ({ reason, ...status }: StatusProps & { reason: string | null }) => (
  <>
    <Status {...status} />
    {reason !== null && <div>{reason}</div>}
  </>
);
