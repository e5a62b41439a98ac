import type { Main } from '@landlord/sdk';
import { useState } from 'react';
import { priceLines, type PriceLine } from '../../../lib/usd.js';
import type { Input } from '../../../request/shape.js';
import styles from '../deployment.module.css';
import { DeploymentButton } from '../deployment-request.js';
import { Table, type Column } from '../../../ui/list/table.js';
import { Facts } from '../../../ui/text/facts.js';

/** What the chosen upgrade costs, on request. Another choice has another price. */
export function UpgradePrice({ input }: { input: Input }) {
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
