// What a creation is compared with: the statements of the API that lock the tenant and insert the rows, in one transaction of
// bare pg. The comparison sends no other statement.
import { readFileSync } from 'node:fs';

/** The sequences begin with these ids while creations are recorded, so that an id is found in all values that contain it. */
const SEQUENCES = { deployments_id_seq: '5000000001', nodes_id_seq: '7000000001' };
const RECORDED_ID = /\b[57]\d{9}\b/g;
const RECORDED_NAME = 'recorded-name';
const ID_STEP = 10n ** 10n;
const IS_SENT = /\binsert into\b|\bfrom tenants where id = \$1\b[^;]*\bfor no key update\b/;

/**
 * The statements of one creation for each tenant. `create(tenant, name)` sends the request to a server that writes its
 * statements to `recordFile`.
 */
export async function recordCreations(sql, tenants, { create, recordFile }) {
  for (const [sequence, first] of Object.entries(SEQUENCES))
    await sql.query(`alter sequence ${sequence} restart with ${first}`);
  for (const tenant of tenants) await create(tenant, RECORDED_NAME);
  const { rows } = await sql.query('select tenant_id, code from deployments where name = $1', [RECORDED_NAME]);
  const codes = new Map(rows.map(({ tenant_id: id, code }) => [Number(id), code]));
  const recorded = JSON.parse(readFileSync(recordFile, 'utf8'));
  return new Map(
    tenants.map((tenant) => {
      const statements = recorded[`${tenant.deployments}/managed`].filter(({ text }) => IS_SENT.test(text));
      return [tenant, new Creation(statements, codes.get(tenant.tenantId))];
    }),
  );
}

/** The recorded statements of one tenant. */
class Creation {
  #statements;
  #values;
  #code;

  constructor(statements, code) {
    this.#statements = statements.map(({ name, text }) => ({ name, text }));
    this.#values = JSON.stringify(statements.map(({ values }) => values));
    this.#code = code;
  }

  /** The statements for another deployment, which has its own ids, code and name. `serial` is unique in the run. */
  another(serial, name) {
    const code = serial.toString(36).padStart(8, '0');
    const text = this.#values
      .replaceAll(RECORDED_ID, (id) => String(BigInt(id) + BigInt(serial) * ID_STEP))
      .replaceAll(this.#code, code)
      .replaceAll(RECORDED_NAME, name);
    const values = JSON.parse(text);
    return this.#statements.map((statement, at) => ({ ...statement, values: values[at] }));
  }
}

/** Sends the statements one after the other in a transaction. */
export async function insertCreation(pool, statements) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    for (const statement of statements) await client.query(statement);
    await client.query('commit');
  } finally {
    client.release();
  }
}
