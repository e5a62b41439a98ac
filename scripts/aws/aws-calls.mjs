// Compares the actions of AWS that `npm run proofs:aws` has recorded with the actions of the policies. The proxy of
// the tests adds its actions to the file (libs/testing/src/aws/recorded-calls.ts).
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../build-stamp.mjs';

/** The environment variable with the path of the file. */
export const CALLS_VARIABLE = 'TEST_AWS_CALLS_FILE';

const WITHIN_CREATION = 'AWS asks for it in the call that creates a resource with tags';
/** Actions of the policies that no call names, with the reason. */
export const UNRECORDED = {
  'ec2:CreateTags': WITHIN_CREATION,
  'elasticloadbalancing:AddTags': WITHIN_CREATION,
  'iam:CreateServiceLinkedRole': 'AWS asks for it in the call that creates the first balancer of an account',
};
/** Everybody may make these calls. */
const WITHOUT_PERMISSION = new Set(['sts:GetCallerIdentity']);

/**
 * The differences, as sentences: actions without a permission, and permissions that no suite has used.
 * @param lines `<operator or customer> <action>`, in any order and number
 * @param policies The permissions of the operator and of a customer. The operator has all of a customer.
 */
export function differences(lines, { operator, customer }) {
  const used = { operator: new Set(), customer: new Set() };
  for (const line of lines) {
    const [whose, action] = line.split(' ');
    if (!WITHOUT_PERMISSION.has(action)) used[whose].add(action);
  }
  const all = new Set([...used.operator, ...used.customer]);
  const lacking = (whose, allowed) =>
    [...used[whose]]
      .filter((action) => !allowed.includes(action))
      .map((action) => `The policy of the ${whose} lacks ${action}, which a suite has used.`);
  const unused = operator
    .filter((action) => !all.has(action) && !(action in UNRECORDED))
    .map((action) => `The policy of the operator has ${action}, which no suite has used.`);
  return [...lacking('operator', operator), ...lacking('customer', customer), ...unused].sort();
}

/** Prints the differences of a whole run. Returns how many there are. Needs the build. */
export async function compareCalls(file) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const actions = pathToFileURL(join(ROOT, 'dist/libs/cloud/src/byoc/aws-actions.js'));
  const { AWS_OPERATOR_PERMISSIONS: operator, AWS_PERMISSIONS: customer } = await import(actions);
  const found = differences(lines.filter(Boolean), { operator, customer });
  for (const sentence of found) console.log(sentence);
  for (const [action, reason] of Object.entries(UNRECORDED)) console.log(`Not recorded: ${action}. ${reason}.`);
  return found.length;
}
