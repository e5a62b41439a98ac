import type { OpenAPIObject } from '@nestjs/swagger';
import { orderParameters } from './parameter-order.js';

const header = (name: string, required = false): object => ({ name, in: 'header', required });
const inPath = (name: string): object => ({ name, in: 'path', required: true });
const query = (name: string): object => ({ name, in: 'query' });

describe('The parameters of an operation', () => {
  it('are those of the path in its order, then the required, then the optional ones, each as they were', () => {
    const parameters = [
      ...[header('if-match'), inPath('rule_id'), query('wait'), header('signature', true)],
      ...[inPath('rule'), inPath('id'), header('timestamp', true)],
    ];
    const document = {
      openapi: '3.1.0',
      info: { title: '', version: '' },
      paths: { '/{id}/{rule}/rules/{rule_id}': { delete: { operationId: 'a', responses: {}, parameters } } },
    } as unknown as OpenAPIObject;

    const { paths } = orderParameters(document);

    expect(Object.values(paths)[0]?.delete?.parameters?.map((one) => 'name' in one && one.name)).toEqual([
      ...['id', 'rule', 'rule_id'],
      ...['signature', 'timestamp'],
      ...['if-match', 'wait'],
    ]);
  });
});
