import type { Main } from '@landlord/sdk';
import { usd, priceLines, type PriceLine } from '../../../lib/usd.js';
import { Table, type Column } from '../../../ui/list/table.js';
import { Time } from '../../../ui/text/time.js';
import { DeploymentForm, DeploymentButton } from '../deployment-request.js';
import { Facts } from '../../../ui/text/facts.js';
import { Section } from '../../../ui/section.js';
import { useDeployment } from '../use-deployment.js';
import { largerThan } from './larger.js';
import { useState } from 'react';
import type { Input } from '../../../request/shape.js';
import styles from '../deployment.module.css';

/** Larger nodes, more storage and a higher tier. */
export function UpgradeScreen() {
  const { deployment } = useDeployment();
  const { upgrades, pending_upgrade } = deployment;
  return (
    <>
      <Section title="Size">
        <Facts values={sizeOf(deployment)} />
        {pending_upgrade && <p role="status">An upgrade to {shapeWords(pending_upgrade)} runs.</p>}
      </Section>
      <Upgrade />
      {upgrades.length > 0 && (
        <Section title="Earlier upgrades">
          <Table label="Earlier upgrades" columns={UPGRADES} rows={upgrades} keyOf={({ upgraded_at }) => upgraded_at} />
        </Section>
      )}
      <Section title="More nodes">
        <DeploymentForm
          request="deployments.extend"
          own={{ nodes: { hint: 'A list with the number of nodes, such as [{"count": 1}].' } }}
          action="Add the nodes"
        />
      </Section>
    </>
  );
}

function Upgrade() {
  const { deployment } = useDeployment();
  const larger = largerThan(deployment);
  return (
    <Section title="Upgrade">
      <p>An upgrade cannot be undone. Nodes get their new size one after the other.</p>
      <DeploymentForm
        request="deployments.upgrade"
        fields={larger.fields}
        own={{
          tier: { label: 'Size of each node', hint: '', none: 'As now', choices: larger.sizes },
          'storage.size': {
            label: 'GB of storage for each node',
            hint: `More than the ${deployment.storage.size} GB of now.`,
          },
          managed_tier: { label: 'Managed tier', hint: '', none: 'As now', choices: larger.managedTiers },
        }}
        record={{}}
        action="Upgrade"
        question={`Upgrade ${deployment.name}? An upgrade cannot be undone.`}
        disabledReason={larger.refusal}
      >
        {(_, input) => <UpgradePrice key={JSON.stringify(input)} input={input} />}
      </DeploymentForm>
    </Section>
  );
}

const sizeOf = ({ nodes_count, tier, storage, managed_tier, monthly_base }: Main.DeploymentView) => ({
  Nodes: nodes_count,
  'Size of each node': tier,
  Storage: `${storage.size} GB, ${storage.type.replaceAll('_', ' ')}`,
  ...(managed_tier && { 'Managed tier': managed_tier }),
  ...(monthly_base !== undefined && { 'Nodes and storage a month': usd(monthly_base) }),
});

const shapeWords = ({ tier, storage, managed_tier }: Main.UpgradedShapeView): string =>
  [tier, `${storage.size} GB`, managed_tier].filter(Boolean).join(', ');

const UPGRADES: readonly Column<Main.UpgradeView>[] = [
  { title: 'Time', cell: ({ upgraded_at }) => <Time at={upgraded_at} /> },
  { title: 'From', cell: ({ from }) => shapeWords(from) },
  { title: 'To', cell: ({ to }) => shapeWords(to) },
];

/** What the chosen upgrade costs, on request. Another choice has another price. */
function UpgradePrice({ input }: { input: Input }) {
  const [preview, setPreview] = useState<Main.UpgradePreviewView | null>(null);
  return (
    <div className={styles['gap']}>
      <DeploymentButton<Main.UpgradePreviewView>
        request="deployments.previewUpgrade"
        input={input}
        action="Show the price"
        disabledReason={Object.keys(input).length === 0 ? 'Choose something first.' : null}
        onDone={setPreview}
      />
      {preview && (
        <div role="status">
          <Table
            label="Price of a month"
            isSmall
            columns={PRICE}
            rows={priceLines(preview, preview.difference)}
            keyOf={({ name }) => name}
          />
          <Facts
            values={{
              Nodes: preview.nodes,
              Work: preview.changes_hardware ? 'Each node is replaced, one after the other.' : 'No node changes.',
              'Days of telemetry': preview.included_telemetry_days,
            }}
          />
        </div>
      )}
    </div>
  );
}

const PRICE: readonly Column<PriceLine>[] = [
  { title: 'A month', cell: ({ name }) => name },
  { title: 'Now', cell: ({ now }) => now },
  { title: 'After', cell: ({ after }) => after },
  { title: 'More', cell: ({ more }) => more },
];
