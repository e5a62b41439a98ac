import { Injectable } from '@nestjs/common';
import type { BrokerDriver, AccessRuleId, DeploymentId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import type { AccessRule } from '../entities/access-rule.entity.js';

/** A rule as it is stored (C-15.1). */
export type AccessRuleRow = Pick<
  AccessRule,
  'id' | 'name' | 'remarks' | 'cidr_blocks' | 'rules' | 'valid_to' | 'created_at'
>;

export type NewAccessRule = Pick<AccessRuleRow, 'name' | 'remarks' | 'cidr_blocks' | 'rules' | 'valid_to'>;

const COLUMNS = `id, name, nullif(remarks, '') as remarks, cidr_blocks, rules, valid_to, created_at`;
const LIST = statement(
  'access_rule.list',
  `select ${COLUMNS} from access_rules where deployment_id = $1 order by id desc`,
);
const FIND_BY_NAME = statement(
  'access_rule.by_name',
  'select id from access_rules where deployment_id = $1 and lower(name) = lower($2)',
);
const COUNT = statement(
  'access_rule.count',
  'select count(*)::int as count from access_rules where deployment_id = $1',
);
const ANY_IN_FORCE = statement(
  'access_rule.any_in_force',
  'select exists(select from access_rules where deployment_id = $1 and (valid_to is null or valid_to > now())) as any',
);
const INSERT = statement(
  'access_rule.insert',
  `insert into access_rules (deployment_id, name, remarks, cidr_blocks, rules, valid_to) values ($1, $2, $3, $4, $5, $6)
   returning ${COLUMNS}`,
);
const DELETE = statement(
  'access_rule.delete',
  `delete from access_rules where deployment_id = $1 and id = $2 returning ${COLUMNS}`,
);
const DRIVER = statement(
  'access_rule.driver',
  'select broker_driver as driver from nodes where deployment_id = $1 order by ordinal limit 1',
);

/** Access rules of deployments. */
@Injectable()
export class AccessRulesRepository {
  constructor(private readonly database: Database) {}

  async list(deploymentId: DeploymentId): Promise<AccessRuleRow[]> {
    return this.database.query<AccessRuleRow>(LIST, [deploymentId]);
  }

  async findIdByName(deploymentId: DeploymentId, name: string): Promise<AccessRuleId | null> {
    return (await this.database.first<{ id: AccessRuleId }>(FIND_BY_NAME, [deploymentId, name]))?.id ?? null;
  }

  async count(deploymentId: DeploymentId): Promise<number> {
    return (await this.database.query<{ count: number }>(COUNT, [deploymentId]))[0]?.count ?? 0;
  }

  /** Whether some client may connect now. */
  async isAnyInForce(deploymentId: DeploymentId): Promise<boolean> {
    return (await this.database.query<{ any: boolean }>(ANY_IN_FORCE, [deploymentId]))[0]?.any === true;
  }

  async insert(deploymentId: DeploymentId, rule: NewAccessRule): Promise<AccessRuleRow> {
    const { name, remarks, cidr_blocks, rules, valid_to } = rule;
    const values = [deploymentId, name, remarks, cidr_blocks, JSON.stringify(rules), valid_to];
    const [row] = await this.database.query<AccessRuleRow>(INSERT, values);
    return row as AccessRuleRow;
  }

  /** The deleted rule. Null when there was none. */
  async delete(deploymentId: DeploymentId, id: AccessRuleId): Promise<AccessRuleRow | null> {
    return this.database.first<AccessRuleRow>(DELETE, [deploymentId, id]);
  }

  /** The broker driver of the deployment. Null without nodes. */
  async driver(deploymentId: DeploymentId): Promise<BrokerDriver | null> {
    return (await this.database.first<{ driver: BrokerDriver }>(DRIVER, [deploymentId]))?.driver ?? null;
  }
}
