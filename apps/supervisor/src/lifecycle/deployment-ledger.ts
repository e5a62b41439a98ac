import { Injectable } from '@nestjs/common';
import { upgradeData, type UpgradeMemo } from '@libs/domain';
import { Ledger, type LedgerContext } from '@libs/ledger';
import type { ActiveCertificate, DeploymentFacts } from '@libs/persistence/runtime';
import type { Failure, OperationRow } from '@libs/workflow';

const SYSTEM = { user: null, apiKey: null };

/** Records audit, events and metering of a deployment's lifecycle. Each record has a key that makes it unique. */
@Injectable()
export class DeploymentLedger {
  constructor(private readonly ledger: Ledger) {}

  async initialized(operation: OperationRow, facts: DeploymentFacts): Promise<void> {
    const data = { name: facts.name, code: facts.code };
    const event = {
      type: 'deployment_initialized',
      key: `deployment_initialized:${facts.id}`,
      subject: `Deployment ${facts.name} is ready`,
      data,
    } as const;
    const said = { context: contextOf(facts), data, author: SYSTEM, traceId: operation.trace_id };
    await this.ledger.record({ audit: 'deployment_initialized', event, ...said });
    await this.ledger.meter({
      ...meteringOf(operation, facts),
      shape: shapeOf(facts),
      monthly_compute_usd: facts.monthly_compute,
      monthly_storage_usd: facts.monthly_storage,
    });
  }

  /** The request wrote the audit record. Announces the finished upgrade and meters the new shape from now on. */
  async upgraded(operation: OperationRow, facts: DeploymentFacts, { from, to }: UpgradeMemo): Promise<void> {
    const event = {
      type: 'deployment_upgraded',
      key: `deployment_upgraded:${operation.id}`,
      subject: `Deployment ${facts.name} is upgraded`,
      data: { name: facts.name, code: facts.code, ...upgradeData(from, to) },
    } as const;
    await this.ledger.announce(event, contextOf(facts), operation.trace_id);
    await this.ledger.meter({
      ...meteringOf(operation, facts),
      pricing_version: to.pricing_version,
      shape: { ...shapeOf(facts), tier: to.tier, managed_tier: to.managed_tier, storage_size: to.storage.size },
      monthly_compute_usd: to.monthly_compute,
      monthly_storage_usd: to.monthly_storage,
    });
  }

  /** The request wrote the audit record. Announces that the old credentials are no longer valid on any node. */
  async rotated(operation: OperationRow, facts: DeploymentFacts): Promise<void> {
    const event = {
      type: 'deployment_secrets_rotated',
      key: `deployment_secrets_rotated:${operation.id}`,
      subject: `Deployment ${facts.name} has new credentials`,
      data: { name: facts.name, code: facts.code },
    } as const;
    await this.ledger.announce(event, contextOf(facts), operation.trace_id);
  }

  /** The request wrote the audit record. Announces that every node presents the new certificate. */
  async certificatesRotated(operation: OperationRow, facts: DeploymentFacts, shown: ActiveCertificate | null) {
    const event = {
      type: 'deployment_certificates_rotated',
      key: `deployment_certificates_rotated:${operation.id}`,
      subject: `Deployment ${facts.name} has a new certificate`,
      data: {
        name: facts.name,
        code: facts.code,
        serial: shown?.serial ?? null,
        not_after: shown?.notAfter.toISOString() ?? null,
      },
    } as const;
    await this.ledger.announce(event, contextOf(facts), operation.trace_id);
  }

  async failed(operation: OperationRow, facts: DeploymentFacts, { step, reason }: Failure): Promise<void> {
    const data = { operation_id: operation.id, type: operation.type, step, reason };
    const event = {
      type: 'deployment_operation_failed',
      key: `deployment_operation_failed:${operation.id}`,
      subject: `Deployment ${facts.name}: ${operation.type} failed`,
      data,
    } as const;
    const said = { context: contextOf(facts), data, author: SYSTEM, traceId: operation.trace_id };
    await this.ledger.record({ audit: 'operation_failed', event, ...said });
  }

  /** The request wrote the audit record. Announces the finished deletion and ends the metering. */
  async deleted(operation: OperationRow, facts: DeploymentFacts): Promise<void> {
    const event = {
      type: 'deployment_deleted',
      key: `deployment_deleted:${facts.id}`,
      subject: `Deployment ${facts.name} is deleted`,
      data: { name: facts.name, code: facts.code },
    } as const;
    await this.ledger.announce(event, contextOf(facts), operation.trace_id);
    await this.ledger.meter({
      ...meteringOf(operation, facts),
      shape: null,
      monthly_compute_usd: '0',
      monthly_storage_usd: '0',
    });
  }
}

const contextOf = (facts: DeploymentFacts): LedgerContext => ({
  tenantId: facts.tenant_id,
  division: { id: facts.division_id, name: facts.division_name },
  environment: { id: facts.environment_id, name: facts.environment_name },
  deployment: { id: facts.id, name: facts.name },
});

const meteringOf = (operation: OperationRow, facts: DeploymentFacts) => ({
  event_key: `operation:${operation.id}`,
  tenant_id: facts.tenant_id,
  deployment_id: facts.id,
  pricing_version: facts.pricing_version,
});

const shapeOf = (facts: DeploymentFacts): object => ({
  cloud: facts.cloud,
  region: facts.region,
  tier: facts.tier,
  managed_tier: facts.managed_tier,
  nodes: facts.nodes_count,
  storage_type: facts.storage_type,
  storage_size: facts.storage_size,
});
