import styles from './status.module.css';

const GOOD = [
  ...['initialized', 'running', 'succeeded', 'paid', 'completed', 'active', 'available', 'accepted', 'valid'],
];
const BAD = ['failed', 'degraded', 'unreachable', 'cancelled', 'rejected', 'expired', 'needs_attention'];
const CALM = ['stopped', 'skipped', 'undone', 'deleted', 'inactive', 'closed', 'paused'];
const WORDS: Readonly<Record<string, string>> = { initialized: 'ready' };

interface StatusProps {
  of: string;
  /** Work that is running is not at its end. A node that is running is well. */
  isWork?: boolean;
}

/** A state in words. The colour only repeats the word. */
export const Status = ({ of: status, isWork = false }: StatusProps) => (
  <span className={`${styles['status']} ${styles[kindOf(status, isWork)] ?? ''}`}>
    {WORDS[status] ?? status.replaceAll('_', ' ')}
  </span>
);

function kindOf(status: string, isWork: boolean): string {
  if (BAD.includes(status)) return 'bad';
  if (CALM.includes(status)) return 'calm';
  return GOOD.includes(status) && !(isWork && status === 'running') ? 'good' : 'busy';
}
