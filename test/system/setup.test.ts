// The first start without a terminal: the code that is printed gives the administrator an address and a password, once.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';

const account = { email: 'Ada@Example.com', password: 'correct horse' };

describeEachVendor('the setup', (vendor) => {
  let service: TestService;
  let code: string;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'setup', config: { adminPassword: null }, onEmpty: true });
    const [row] = await service.sql("select value from service_secrets where name = 'setup'");
    ({ code } = JSON.parse(String(row?.['value'])));
  });
  afterAll(() => service.stop());
  const isComplete = async () => (await service.as(null).get('/server/info')).body.data.setupCompleted;
  const setUp = (body: object) => service.as(null).post('/server/setup', body);
  const login = (email: string, password: string) => service.as(null).post('/auth/login', { email, password });

  it('refuses a wrong code and what is not an account, and stays open', async () => {
    expect(await isComplete()).toBe(false);
    expect((await setUp({ ...account, code: `${code}x` })).status).toBe(403);
    expect((await setUp({ ...account, code, email: 'nobody' })).status).toBe(400);
    expect((await setUp({ code })).status).toBe(400);
    expect(await isComplete()).toBe(false);
  });

  it('is completed by one of many who hold the code', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => setUp({ ...account, code, project_name: 'Shop' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 403, 403, 403, 403]);
    expect((await login('ada@example.com', 'correct horse')).status).toBe(200);
    expect((await service.as(null).get('/server/info')).body.data).toMatchObject({
      setupCompleted: true,
      project: { project_name: 'Shop' },
    });
    expect((await setUp({ ...account, code })).status).toBe(403);
    const { body } = await service
      .as(null)
      .graphql('mutation { server_setup(code: "x", email: "a@b.c", password: "y") }', {}, '/graphql/system');
    expect(body.errors[0].extensions.code).toBe('FORBIDDEN');
  });

  it('is over when the administrator has signed in by the printed password', async () => {
    const other = await startService(vendor, { area: 'setup_signed', config: { adminPassword: null }, onEmpty: true });
    const [row] = await other.sql("select value from service_secrets where name = 'setup'");
    const { code: unused } = JSON.parse(String(row?.['value']));
    await other.as(adminToken).patch('/users/me', { password: 'printed' });
    const signedIn = await other.as(null).post('/auth/login', { email: 'admin@example.com', password: 'printed' });
    expect(signedIn.status).toBe(200);
    expect((await other.as(null).post('/server/setup', { ...account, code: unused })).status).toBe(403);
    expect((await other.as(null).get('/server/info')).body.data.setupCompleted).toBe(true);
    await other.stop();
  });
});
