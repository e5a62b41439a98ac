import { Link, useParams, useSearch } from '@tanstack/react-router';
import { missingIn, type Kind } from '../../order/order.js';
import { useCreation, useOrder } from '../../order/use-order.js';
import { TextField } from '../../ui/form/field.js';
import { Form } from '../../ui/form/form.js';
import { issuesOf } from '../../ui/problem.js';
import styles from './new-deployment.module.css';
import { PlaceFields } from './place-fields.js';
import { Price } from './price.js';
import { ShapeFields } from './shape-fields.js';
import { WrittenOrder } from './written-order.js';

const KINDS: readonly { kind: Kind; title: string }[] = [
  { kind: 'free', title: 'Free: one node' },
  { kind: 'managed', title: 'Managed: a cluster of three nodes' },
];
const NAME = { label: 'Name', name: 'name' };
const FREE_HINT = { hint: 'Without a name, the installation chooses one.' };

/** Orders a deployment. The price, and the order as a command, JSON and HCL, follow each choice. */
export function NewDeploymentScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId/new' });
  const { kind = 'free' } = useSearch({ from: '/signed-in/t/$tenantId/new' });
  const { choices, change, places, place, order } = useOrder(tenantId, kind);
  const create = useCreation(tenantId, place, order);
  const issues = issuesOf(create.error);
  const fields = { tenantId, choices, change, issues };
  return (
    <>
      <h1>New deployment</h1>
      <KindLinks tenantId={tenantId} kind={kind} />
      <div className={styles['columns']}>
        <Form action="Create the deployment" send={create} disabledReason={missingIn(kind, choices, place)}>
          <Price tenantId={tenantId} kind={kind} place={place} choices={choices} />
          <TextField
            {...NAME}
            {...(kind === 'free' && FREE_HINT)}
            value={choices.name}
            onChange={(name) => change({ name })}
            issue={issues['deployment_name'] ?? issues['name']}
          />
          <PlaceFields {...fields} places={places} />
          {kind === 'managed' && <ShapeFields {...fields} />}
        </Form>
        <WrittenOrder tenantId={tenantId} place={place} order={order} />
      </div>
    </>
  );
}

const KindLinks = ({ tenantId, kind: current }: { tenantId: number; kind: Kind }) => (
  <nav className={styles['kinds']} aria-label="Kinds of deployments">
    {KINDS.map(({ kind, title }) => (
      <Link
        key={kind}
        to="/t/$tenantId/new"
        params={{ tenantId }}
        search={kind === 'free' ? {} : { kind }}
        {...(kind === current && { 'aria-current': 'page' })}
      >
        {title}
      </Link>
    ))}
  </nav>
);
