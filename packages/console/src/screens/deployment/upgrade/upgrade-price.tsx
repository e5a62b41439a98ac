import type { Main } from '@landlord/sdk';
import { useState } from 'react';
import { usd } from '../../../lib/usd.js';
import type { Input } from '../../../request/shape.js';
import styles from '../deployment.module.css';
import { DeploymentButton } from '../deployment-request.js';
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
          <Facts
            values={{
              'A month': usd(preview.monthly_total_usd),
              'More than now': usd(preview.difference.monthly_total_usd),
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
