import { useNavigate, useSearch } from '@tanstack/react-router';
import { commandLine } from '../../../lib/command-line.js';
import { visible } from '../../../lib/log-lines.js';
import { inputOf, type LogLine } from '../../../api/queries/logs.js';
import { Button } from '../../../ui/button.js';
import { Code } from '../../../ui/text/code.js';
import { Problem } from '../../../ui/problem.js';
import { useNodeNames } from '../node-name.js';
import { useDeployment } from '../use-deployment.js';
import { LogFilters } from './log-filters.js';
import styles from './logs.module.css';
import type { LogSearch } from './search.js';
import { useLogLines } from './use-log-lines.js';

/** The last lines of the nodes, and new ones as they come. */
export function LogsScreen() {
  const { tenantId, deploymentId } = useDeployment();
  const search = useSearch({ from: '/signed-in/t/$tenantId/deployments/$deploymentId/logs' });
  const navigate = useNavigate();
  const show = (next: LogSearch): void => void navigate({ to: '.', search: next, replace: true });
  const { paused: isPaused = false, ...filter } = search;
  const { lines, error, reload } = useLogLines(tenantId, deploymentId, filter, isPaused);
  return (
    <section aria-labelledby="logs">
      <h2 id="logs">Logs</h2>
      <LogFilters
        // Back and forward change the text, too.
        key={filter.text}
        filter={filter}
        onChange={(next) => show({ ...next, ...(isPaused && { paused: true }) })}
      />
      <div className={styles['state']}>
        <Button onPress={() => show({ ...filter, ...(!isPaused && { paused: true }) })}>
          {isPaused ? 'Go on' : 'Pause'}
        </Button>
        <span role="status">{stateOf(isPaused, lines !== undefined, error !== null)}</span>
      </div>
      {error !== null && <Problem error={error} onRetry={lines ? undefined : reload} />}
      {lines && <Lines lines={lines} />}
      <Code
        label="Command"
        text={commandLine({
          command: 'logs stream',
          options: { ...inputOf(filter), deployment: deploymentId },
        })}
      />
    </section>
  );
}

function stateOf(isPaused: boolean, isKnown: boolean, isLost: boolean): string {
  if (isLost) return 'New lines are not read now.';
  if (!isKnown) return 'Reading the last lines …';
  return isPaused ? 'Paused. New lines wait.' : 'New lines appear as they come.';
}

function Lines({ lines }: { lines: readonly LogLine[] }) {
  const nameOf = useNodeNames();
  return lines.length === 0 ? (
    <p>No line of the last day matches.</p>
  ) : (
    // A box that scrolls needs the focus for people without a mouse.
    <div className={styles['box']} tabIndex={0} role="region" aria-label="Lines, newest last">
      <ol className={styles['lines']}>
        {lines.map((line) => (
          <li key={line.id} className={styles[line.level] ?? ''}>
            <time dateTime={line.at}>{line.at.replace('T', ' ')}</time> {line.level}{' '}
            <span title={`Id ${line.node_id}`}>{nameOf(line.node_id)}</span> {line.runtime}:{' '}
            <bdi>{visible(line.message)}</bdi>
          </li>
        ))}
      </ol>
    </div>
  );
}
