import { readIpv4Network, validationFailed, type FieldIssue } from '@libs/domain';
import type { NewAccessRule } from '@libs/persistence/runtime';
import { RULE_FLAGS } from './dto/access-rule.view.js';
import type { CreateAccessRuleDto } from './dto/create-access-rule.dto.js';

/**
 * Returns the rule of a request, with each block once and in canonical form.
 * @throws DomainError validation_failed, naming each fault
 */
export function readAccessRule(dto: CreateAccessRuleDto, now: Date): NewAccessRule {
  const blocks = dto.cidr_blocks.map((block) => readIpv4Network(typeof block === 'string' ? block : ''));
  const validTo = dto.valid_to === undefined || dto.valid_to === null ? null : new Date(dto.valid_to);
  const rules = Object.fromEntries(
    RULE_FLAGS.map((flag) => [flag, dto.rules[flag] ?? false]),
  ) as NewAccessRule['rules'];
  const issues: FieldIssue[] = blocks.flatMap(({ fault }, index) =>
    fault === undefined ? [] : [issue(`/cidr_blocks/${index}`, 'is_ipv4_cidr', fault)],
  );
  if (!Object.values(rules).includes(true))
    issues.push(issue('/rules', 'no_protocol', 'must open at least one protocol'));
  if (validTo !== null && validTo <= now) issues.push(issue('/valid_to', 'not_in_future', 'must be in the future'));
  if (issues.length > 0) throw validationFailed(issues);
  const cidrs = [...new Set(blocks.flatMap(({ range }) => range ?? []))];
  return { name: dto.name, remarks: dto.remarks ?? null, cidr_blocks: cidrs, rules, valid_to: validTo };
}

const issue = (path: string, code: string, reason: string): FieldIssue => ({ path, code, reason });
