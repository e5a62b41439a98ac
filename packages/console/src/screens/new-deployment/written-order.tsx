import type { Order, Place } from '../../order/order.js';
import { written } from '../../order/written.js';
import { Code } from '../../ui/code.js';
import { Tabs } from '../../ui/tabs.js';

interface WrittenOrderProps {
  tenantId: number;
  place: Place | undefined;
  order: Order;
}

/** The order of the form as a command, as JSON and for Terraform. */
export function WrittenOrder(props: WrittenOrderProps) {
  const { command, request, terraform } = written(props.tenantId, props.place, props.order);
  return (
    <section aria-labelledby="written">
      <h2 id="written">The same by other ways</h2>
      <Tabs
        label="The same by other ways"
        tabs={[
          { name: 'Command', content: <Code label="Command" text={command} /> },
          { name: 'JSON', content: <Code label="Request" text={request} /> },
          { name: 'Terraform', content: <Code label="Terraform" text={terraform} /> },
        ]}
      />
    </section>
  );
}
