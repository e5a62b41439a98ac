import { isStorageFull, outageAtWork, outageOf } from './outages.js';

const errorOf = (code: string | undefined, message = 'failed', more: object = {}): Error =>
  Object.assign(new Error(message), { ...(code !== undefined && { code }), ...more });

describe('An error of the database or of the disk', () => {
  it.each([
    ['53100', 'storage_full', false],
    ['58030', 'storage_full', false],
    ['08000', 'service_busy', true],
    ['08003', 'service_busy', true],
    ['08006', 'service_busy', true],
    ['08001', 'service_busy', true],
    ['57P01', 'service_busy', true],
    ['57P02', 'service_busy', true],
    ['57P03', 'service_busy', true],
    ['57P05', 'service_busy', true],
    ['25P03', 'service_busy', true],
    ['25006', 'service_busy', true],
    ['40001', 'service_busy', true],
    ['40P01', 'service_busy', true],
    ['57014', 'service_busy', false],
    ['55P03', 'service_busy', false],
    ['25P04', 'service_busy', false],
    ['53300', 'service_busy', false],
    ['53200', 'service_busy', false],
    ['53000', 'service_busy', false],
    ['ENOSPC', 'storage_full', false],
    ['EDQUOT', 'storage_full', false],
    ['EIO', 'storage_full', false],
    ['EROFS', 'storage_full', false],
    ['ECONNREFUSED', 'service_busy', true],
    ['ECONNRESET', 'service_busy', true],
    ['EPIPE', 'service_busy', true],
    ['ETIMEDOUT', 'service_busy', true],
    ['EHOSTUNREACH', 'service_busy', true],
    ['EAI_AGAIN', 'service_busy', true],
    ['EMFILE', 'service_busy', false],
  ])('%s is %s, repeated at once: %s', (code, refusal, isBrief) => {
    expect(outageOf(errorOf(code))).toMatchObject({ code: refusal, isBrief });
  });

  it.each([
    ['Connection terminated unexpectedly', 'service_busy'],
    ['Connection terminated', 'service_busy'],
    ['Connection terminated due to connection timeout', 'service_busy'],
    ['Client has encountered a connection error and is not queryable', 'service_busy'],
    ['Client was closed and is not queryable', 'service_busy'],
    ['Query runner already released. Cannot run queries anymore.', 'service_busy'],
    ['timeout expired', 'service_busy'],
    ['timeout exceeded when trying to connect', 'service_busy'],
    ['Query read timeout', 'service_busy'],
    ['could not extend file "base/1/2": No space left on device', 'storage_full'],
    ['could not extend file "base/1/2": Disk quota exceeded', 'storage_full'],
    ['could not read block 1 in file "base/1/2": Input/output error', 'storage_full'],
  ])('without a code: %s', (message, refusal) => {
    expect(outageOf(errorOf(undefined, message))?.code).toBe(refusal);
  });

  it.each([
    ['23505'],
    ['22P02'],
    ['42P01'],
    ['42501'],
    ['28P01'],
    ['3D000'],
    ['XX000'],
    ['25P02'],
    ['ENOENT'],
    ['EACCES'],
    ['EPERM'],
    ['ABORT'],
    [undefined],
  ])('%s is another error', (code) => {
    expect(outageOf(errorOf(code))).toBeNull();
    expect(isStorageFull(errorOf(code))).toBe(false);
  });

  it('is also a forbidden file of a process that has started, but not a forbidden port', () => {
    const open = errorOf('EACCES', 'EACCES: permission denied', { syscall: 'open', path: '/data/mail/1' });
    const listen = errorOf('EACCES', 'listen EACCES', { syscall: 'listen', port: 80 });

    expect(outageOf(open)).toBeNull();
    expect(outageAtWork(open)).toMatchObject({ code: 'storage_full', isBrief: false });
    expect(outageAtWork(errorOf('EPERM', 'x', { syscall: 'rename' }))?.code).toBe('storage_full');
    expect(outageAtWork(errorOf('EIO'))?.code).toBe('storage_full');
    expect(outageAtWork(new Error('the object store failed', { cause: open }))?.code).toBe('storage_full');
    expect([outageAtWork(listen), outageAtWork(errorOf('EACCES', 'x', { syscall: 'spawn node' }))]).toEqual([
      null,
      null,
    ]);
    expect([outageAtWork(errorOf('ENOENT')), outageAtWork(null)]).toEqual([null, null]);
  });

  it('is found below the errors of libraries, but not without end', () => {
    const full = errorOf('53100');
    const wrapped = new Error('insert failed', { cause: new Error('query failed', { cause: full }) });
    const endless = new Error('own cause');
    endless.cause = endless;

    expect(isStorageFull(wrapped)).toBe(true);
    expect(isStorageFull(Object.assign(new Error('QueryFailedError'), { driverError: full }))).toBe(true);
    expect(outageOf(new AggregateError([errorOf('ECONNREFUSED'), errorOf('ECONNREFUSED')]))?.code).toBe('service_busy');
    expect(outageOf(endless)).toBeNull();
    expect(outageOf('53100')).toBeNull();
    expect(outageOf(null)).toBeNull();
  });

  it('names no host, table or file', () => {
    const refused = outageOf(errorOf('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.7:5432'));

    expect(refused?.says).toBe('A service that Landlord needs does not answer.');
    expect(outageOf(errorOf('ENOENT', 'connect ENOENT /run/.s.PGSQL.5432', { syscall: 'connect' }))?.says).toBe(
      refused?.says,
    );
  });
});
