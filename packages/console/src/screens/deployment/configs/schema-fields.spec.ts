import type { Supervisor } from '@landlord/sdk';
import { inputOf, valuesOf } from '../../../request/values.js';
import { fieldsOf, hintOf } from './schema-fields.js';

const entry = (key: string, more: Partial<Supervisor.SchemaEntryView>): Supervisor.SchemaEntryView => ({
  ...{ key, name: key, description: 'What it is.', default_value: null, kind: 'string', unit: null, owner: 'user' },
  ...{ requirements: [], rules: [], editable: true, secret: false, restart_required: false },
  ...more,
});
const section = (key: string, ...schema: Supervisor.SchemaEntryView[]) => ({ key, name: key, description: '', schema });

describe('The fields of a schema', () => {
  it('follow the kinds of its keys, and leave out what nobody can change', () => {
    const { members, own } = fieldsOf([
      section(
        'system',
        entry('segment.size', { kind: 'bytesize' }),
        entry('threads', { kind: 'integer' }),
        entry('enabled', { kind: 'boolean' }),
        entry('level', { kind: 'enum', rules: [{ rule: 'one_of', value: ['low', 'high'] }] }),
        entry('hosts', { kind: 'list' }),
        entry('token', { secret: true }),
        entry('later', { kind: 'a new kind' as never }),
        entry('fact', { editable: false }),
      ),
    ]);

    expect(members.map(({ member, kind, secret }) => [member, kind, secret ?? false])).toEqual([
      ['values.system.segment.size', 'text', false],
      ['values.system.threads', 'number', false],
      ['values.system.enabled', 'json', false],
      ['values.system.level', 'text', false],
      ['values.system.hosts', 'texts', false],
      ['values.system.token', 'text', true],
      ['values.system.later', 'json', false],
    ]);
    expect(own['values.system.enabled']?.choices?.map(({ value }) => value)).toEqual(['true', 'false']);
    expect(own['values.system.level']?.choices?.map(({ value }) => value)).toEqual(['low', 'high']);
    expect(own['values.system.level']?.section).toBe('system');
  });

  it('show the values of a version, and send what is not a default', () => {
    const { members } = fieldsOf([
      section('system', entry('segment.size', { kind: 'bytesize' }), entry('enabled', { kind: 'boolean' })),
      section('http', entry('port', { kind: 'integer' })),
    ]);
    const shown = valuesOf(members, { values: { system: { 'segment.size': '1 GiB', enabled: false } } });

    expect(shown).toEqual({
      ...{ 'values.system.segment.size': '1 GiB', 'values.system.enabled': 'false', 'values.http.port': '' },
    });
    expect(inputOf(members, { ...shown, 'values.http.port': '80' })).toEqual({
      values: { system: { segment: { size: '1 GiB' }, enabled: false }, http: { port: 80 } },
    });
  });

  it('stand at the top for the section of a connector, with the streams as one list', () => {
    const { members } = fieldsOf(
      [
        section(
          'sink',
          entry('enabled', { kind: 'boolean' }),
          entry('streams[].stream', { rules: [{ rule: 'required', value: 'while the connector is enabled' }] }),
          entry('streams[].topics', { kind: 'list' }),
          entry('transforms', { kind: 'json' }),
        ),
        section('plugin_config', entry('headers', { kind: 'map', secret: true })),
      ],
      'sink',
    );

    expect(members.map(({ member, kind }) => [member, kind])).toEqual([
      ['values.enabled', 'json'],
      ['values.streams', 'json'],
      ['values.transforms', 'json'],
      ['values.plugin_config.headers', 'json'],
    ]);
    expect(members[1]?.text).toContain('stream (required), topics.');
    const secret = { 'values.plugin_config.headers': '{"authorization":"********"}' };
    expect(inputOf(members, secret)).toEqual({
      values: { plugin_config: { headers: { authorization: '********' } } },
    });
  });

  it('say in words what the schema demands', () => {
    const hint = hintOf(
      entry('size', {
        ...{ default_value: 1_048_576, unit: 'bytes', restart_required: true, owner: 'admin' },
        rules: [
          { rule: 'minimum', value: 1_024 },
          { rule: 'maximum', value: 4_096 },
          { rule: 'multiple_of', value: 512 },
          { rule: 'or', value: 'unlimited' },
          { rule: 'topic_holds_segment', value: 'a topic holds a segment' },
        ],
      }),
    );

    expect(hint).toBe(
      'What it is. Default: 1,048,576. From 1,024 to 4,096 bytes. A multiple of 512. Or unlimited. ' +
        'a topic holds a segment. Only owners and admins change it. A change restarts the nodes.',
    );
  });
});
