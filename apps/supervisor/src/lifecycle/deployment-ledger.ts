import { Injectable } from '@nestjs/common';
import { upgradeData, type BackupId, type UpgradeMemo } from '@libs/domain';
import { Ledger } from '@libs/ledger';
import type { ActiveCertificate, BackupType, DeploymentFacts } from '@libs/persistence/runtime';
import type { Failure, OperationRow } from '@libs/workflow';
import { contextOf } from '../platform/index.js';

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
    const common = { context: contextOf(facts), data, author: SYSTEM, traceId: operation.trace_id };
    await this.ledger.record({ audit: 'deployment_initialized', event, ...common });
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

  /** The request wrote the audit record. Announces that every node accepts the new credentials. */
  async rotated(operation: OperationRow, facts: DeploymentFacts, overlapSeconds: number): Promise<void> {
    const event = {
      type: 'deployment_secrets_rotated',
      key: `deployment_secrets_rotated:${operation.id}`,
      subject: `Deployment ${facts.name} has new credentials`,
      data: { name: facts.name, code: facts.code, overlap_seconds: overlapSeconds },
    } as const;
    await this.ledger.announce(event, contextOf(facts), operation.trace_id);
  }

  /** The request wrote the audit record. Announces that every node presents the new certificate. */
  async certificatesRotated(operation: OperationRow, facts: DeploymentFacts, certificate: ActiveCertificate | null) {
    const event = {
      type: 'deployment_certificates_rotated',
      key: `deployment_certificates_rotated:${operation.id}`,
      subject: `Deployment ${facts.name} has a new certificate`,
      data: {
        name: facts.name,
        code: facts.code,
        serial: certificate?.serial ?? null,
        not_after: certificate?.notAfter.toISOString() ?? null,
      },
    } as const;
    await this.ledger.announce(event, contextOf(facts), operation.trace_id);
  }

  /** Announces that a node did not accept a configuration and has its old configuration again. */
  async configRolledBack(operation: OperationRow, facts: DeploymentFacts, reason: string): Promise<void> {
    const event = {
      type: 'config_rolled_back',
      key: `config_rolled_back:${operation.id}`,
      subject: `A configuration of ${facts.name} was rolled back`,
      data: { name: facts.name, code: facts.code, config_id: operation.memo['config_id'] ?? null, reason },
    } as const;
    await this.ledger.announce(event, contextOf(facts), operation.trace_id);
  }

  /** Announces that a backup was not taken. */
  async backupFailed(
    operation: OperationRow,
    facts: DeploymentFacts,
    { id, backupType, reason }: { id: BackupId; backupType: BackupType; reason: string },
  ): Promise<void> {
    const event = {
      type: 'backup_failed',
      key: `backup_failed:${operation.id}`,
      subject: `A backup of ${facts.name} failed`,
      data: { name: facts.name, code: facts.code, backup_id: id, backup_type: backupType, reason },
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
    const common = { context: contextOf(facts), data, author: SYSTEM, traceId: operation.trace_id };
    await this.ledger.record({ audit: 'operation_failed', event, ...common });
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
