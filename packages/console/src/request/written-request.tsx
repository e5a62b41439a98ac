import { Code } from '../ui/text/code.js';
import { Tabs } from '../ui/tabs.js';
import type { Input, PathIds, RequestShape } from './shape.js';
import styles from './request.module.css';
import { written } from './written.js';

interface WrittenRequestProps {
  shape: RequestShape;
  tenantId: number;
  ids: PathIds;
  input: Input;
}

/** The request of a form as a command, as JSON and for Terraform. */
export function WrittenRequest({ shape, tenantId, ids, input }: WrittenRequestProps) {
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
