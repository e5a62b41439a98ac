import styles from './status.module.css';

const GOOD = ['initialized', 'running', 'succeeded'];
const BAD = ['failed', 'degraded', 'unreachable', 'cancelled'];
const CALM = ['stopped', 'skipped', 'undone', 'deleted'];
const WORDS: Readonly<Record<string, string>> = { initialized: 'ready' };

/** A state in words. The colour only repeats the word. */
export function Status({ of: status }: { of: string }) {
  const kind = GOOD.includes(status) ? 'good' : BAD.includes(status) ? 'bad' : CALM.includes(status) ? '' : 'busy';
  return (
    <span className={`${styles['status']} ${styles[kind] ?? ''}`}>{WORDS[status] ?? status.replaceAll('_', ' ')}</span>
  );
}
