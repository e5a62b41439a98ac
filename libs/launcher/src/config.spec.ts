import { resolve } from 'node:path';
import { readConfig } from './config.js';

describe('the configuration of the launcher', () => {
  it('has defaults for everything: a local data directory and the ports 3000, 4000 and 4001', () => {
    const config = readConfig({});

    expect(config).toMatchObject({
      dataDir: resolve('.landlord'),
      databaseUrl: null,
      mainApi: { port: 3000, url: 'http://localhost:3000' },
      supervisor: { port: 4000, url: 'http://localhost:4000' },
      gatewayPort: 4001,
    });
  });

  it('treats an empty variable as unset', () => {
    expect(readConfig({ DATABASE_URL: '', MAIN_API_PORT: '' })).toMatchObject({
      databaseUrl: null,
      mainApi: { port: 3000 },
    });
  });

  it('derives the gateway port from the Supervisor port unless it is set', () => {
    expect(readConfig({ SUPERVISOR_PORT: '5000' }).gatewayPort).toBe(5001);
    expect(readConfig({ SUPERVISOR_PORT: '5000', GATEWAY_PORT: '6000' }).gatewayPort).toBe(6000);
  });

  it.each([
    ['MAIN_API_PORT', '0'],
    ['MAIN_API_PORT', '4000'],
    ['SUPERVISOR_PORT', '65536'],
    ['SUPERVISOR_PORT', '1e3'],
    ['GATEWAY_PORT', '3000'],
    ['LANDLORD_SECRET_KEYS', 'k1:short'],
    ['BOOTSTRAP_API_KEY', 'secret'],
    ['DATABASE_URL', 'localhost'],
    ['LANDLORD_PUBLIC_URL', 'ftp://a'],
    ['LOG_LEVEL', 'loud'],
    ['LANDLORD_HOST', 'http://a'],
    ['LANDLORD_HOST', 'a:3000'],
    ['LANDLORD_HOST', '-a'],
    ['LANDLORD_HOST', 'a b'],
  ])('refuses %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(/_(PORT|KEYS|KEY|URL|LEVEL|HOST): /);
  });

  it('makes the public addresses of everything from LANDLORD_HOST, except those that are set', () => {
    const host = { LANDLORD_HOST: 'cloud.example.com' };

    expect(readConfig(host)).toMatchObject({
      mainApi: { url: 'http://cloud.example.com:3000' },
      supervisor: { url: 'http://cloud.example.com:4000' },
      listeners: [{ host: '127.0.0.1' }, { host: '127.0.0.1' }, { host: '127.0.0.1' }],
      inherited: {
        LANDLORD_PUBLIC_URL: 'http://cloud.example.com:3000',
        SUPERVISOR_PUBLIC_URL: 'http://cloud.example.com:4000',
        LOCAL_PUBLIC_ADDRESS: 'cloud.example.com',
      },
    });
    expect(readConfig({ ...host, TLS_CERT: 'a.pem', SUPERVISOR_PORT: '5000' }).supervisor.url).toBe(
      'https://cloud.example.com:5000',
    );
    expect(readConfig({ ...host, LANDLORD_PUBLIC_URL: 'https://a.example' })).toMatchObject({
      mainApi: { url: 'https://a.example' },
      inherited: { LANDLORD_PUBLIC_URL: 'https://a.example', LOCAL_PUBLIC_ADDRESS: 'cloud.example.com' },
    });
  });

  it('passes on all variables except secrets', () => {
    const { inherited } = readConfig({
      SMTP_URL: 'smtp://a',
      DATABASE_URL: 'postgres://u:p@h/d',
      BOOTSTRAP_API_KEY: 'ld_a_b_c',
    });

    expect(inherited).toEqual({ SMTP_URL: 'smtp://a' });
  });
});
