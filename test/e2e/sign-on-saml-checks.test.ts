// What answers of a SAML identity provider are refused for. Nothing of them reaches a database, so that one vendor is enough; what is stored is
// tested on each (sign-on-saml.test.ts).

import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { codeOf } from '../harness/people.js';
import { type SamlLogins, startSamlLogins } from '../harness/saml-logins.js';
import { formOf, type SamlLies } from '../harness/saml-provider.js';
import { openBrowser, publicUrl, whoIs } from '../harness/sign-on.js';

const [vendor] = inject('vendors');

interface Attacked extends Pick<SamlLogins, 'expectRefused'> {
  readonly logins: () => SamlLogins;
}

/** A refused login takes half a second of waiting: blocks run beside each other, each with a service and a provider of its own. */
function describeAttacks(title: string, tests: (attacked: Attacked) => void): void {
  describe.concurrent('what a SAML identity provider must not say', () => {
    describe.sequential(title, () => {
      let logins: SamlLogins;
      beforeAll(async () => {
        if (vendor === undefined) throw new Error('no database');
        const open = { ALLOW_PUBLIC_REGISTRATION: 'true' };
        logins = await startSamlLogins(vendor, 'sign-on-saml-checks', {
          company: open,
          assertion: { ...open, IDP_SIGNS: 'assertion' },
          response: { ...open, IDP_SIGNS: 'response' },
        });
      });
      beforeEach(() => {
        logins.provider.lies = {};
        logins.provider.person = { nameId: 'stranger' };
      });
      afterAll(() => logins.stop());
      tests({ logins: () => logins, expectRefused: (lies, name) => logins.expectRefused(lies, name) });
    });
  });
}

/** Signed as little as the provider of that name demands, so that the attack has the most room. */
const signs = { company: 'both', assertion: 'assertion', response: 'response' } as const;
const part = (xml: string, pattern: RegExp): string => pattern.exec(xml)?.[0] ?? '';
const assertionOf = (xml: string): string => part(xml, /<saml:Assertion.*<\/saml:Assertion>/s);
const signatureOf = (xml: string): string => part(xml, /<ds:Signature .*?<\/ds:Signature>/s);
const forge = (xml: string): string => xml.replace('>stranger<', '>victim<');
const renamed = (xml: string): string => xml.replace(/ ID="[^"]+"/, ' ID="_forged"');
const inside = (outer: string, inner: string, name: string): string => outer.replace(new RegExp(`</${name}>$`), `${inner}</${name}>`);
const attacks: readonly (readonly [string, (xml: string) => string])[] = [
  ['the text is changed', forge],
  [
    'XSW1: the response inside of the signature of a forged one',
    (xml) =>
      forge(renamed(xml.replace(signatureOf(xml), ''))).replace(
        '</saml:Issuer>',
        `</saml:Issuer>${inside(signatureOf(xml), xml, 'ds:Signature')}`,
      ),
  ],
  [
    'XSW2: the response beside its signature in a forged one',
    (xml) =>
      forge(renamed(xml.replace(signatureOf(xml), ''))).replace(
        '</saml:Issuer>',
        `</saml:Issuer>${xml.replace(signatureOf(xml), '')}${signatureOf(xml)}`,
      ),
  ],
  [
    'XSW3: a forged assertion before the signed one',
    (xml) =>
      xml.replace('<saml:Assertion', `${forge(renamed(assertionOf(xml).replace(signatureOf(assertionOf(xml)), '')))}<saml:Assertion`),
  ],
  ['a forged assertion after the signed one', (xml) => inside(xml, forge(renamed(assertionOf(xml))), 'samlp:Response')],
  [
    'XSW4: the signed assertion inside of a forged one',
    (xml) =>
      xml.replace(
        assertionOf(xml),
        inside(forge(renamed(assertionOf(xml).replace(signatureOf(assertionOf(xml)), ''))), assertionOf(xml), 'saml:Assertion'),
      ),
  ],
  [
    'XSW5: the signature in a forged assertion, and the signed one behind it',
    (xml) =>
      inside(
        xml.replace(assertionOf(xml), forge(renamed(assertionOf(xml)))),
        assertionOf(xml).replace(signatureOf(assertionOf(xml)), ''),
        'samlp:Response',
      ),
  ],
  [
    'XSW6: the signed assertion inside of the signature of a forged one',
    (xml) => {
      const [assertion, signature] = [assertionOf(xml), signatureOf(assertionOf(xml))];
      const moved = inside(signature, assertion.replace(signature, ''), 'ds:Signature');
      return xml.replace(assertion, forge(renamed(assertion)).replace(signature, moved));
    },
  ],
  [
    'XSW7: a forged assertion in an extension',
    (xml) => xml.replace('<samlp:Status>', `<samlp:Extensions>${forge(assertionOf(xml))}</samlp:Extensions><samlp:Status>`),
  ],
  [
    'XSW8: the signed assertion in an object of the signature of a forged one',
    (xml) => {
      const [assertion, signature] = [assertionOf(xml), signatureOf(assertionOf(xml))];
      const object = `<ds:Object>${assertion.replace(signature, '')}</ds:Object>`;
      return xml.replace(assertion, forge(renamed(assertion)).replace(signature, inside(signature, object, 'ds:Signature')));
    },
  ],
  ['two elements of one id', (xml) => xml.replace(assertionOf(xml), `${forge(assertionOf(xml))}${assertionOf(xml)}`)],
  ['the signature of another element', (xml) => xml.replaceAll(/ URI="#[^"]+"/g, ' URI="#_forged"')],
  ['a signature of nothing', (xml) => forge(xml.replaceAll(/<ds:Reference.*?<\/ds:Reference>/gs, ''))],
];

for (const name of ['company', 'assertion', 'response'] as const)
  describeAttacks(`SAML signature wrapping, where ${signs[name]} is signed`, ({ logins, expectRefused }) => {
    it.each(attacks)('refuses: %s', async (_what, attack) => {
      const lies: SamlLies = { sign: signs[name] };
      let tried = '';
      await expectRefused(
        {
          ...lies,
          signed: (xml) => {
            tried = attack(xml);
            expect(tried).not.toBe(xml);
            return tried;
          },
        },
        name,
      );
      expect(tried).not.toBe('');
      // Only the attack was wrong.
      const { provider, service } = logins();
      provider.lies = lies;
      provider.person = { nameId: `honest ${name}` };
      expect(await whoIs(service, (await logins().logIn(name)).browser)).toMatchObject({ external_identifier: `honest ${name}` });
    });
  });

describeAttacks('an answer that is not for this login', ({ expectRefused }) => {
  it.each<[string, SamlLies]>([
    ['unsigned', { sign: 'none' }],
    ['unsigned assertion', { sign: 'response' }],
    ['unsigned response', { sign: 'assertion' }],
    ['signed by a stranger, who sends the certificate along', { key: 'stranger' }],
    ['signed by SHA-1', { sha1: true }],
    ['expired', { notOnOrAfter: -180_000 }],
    ['not yet valid', { notBefore: 180_000, notOnOrAfter: 600_000 }],
    ['made in the future', { issued: 180_000, notOnOrAfter: 600_000 }],
    ['made too long ago', { issued: -2 * 3_600_000, notBefore: -2 * 3_600_000, notOnOrAfter: 3_600_000 }],
    ['wrong audience', { audience: 'https://another.example/metadata' }],
    ['no audience', { unsigned: (xml) => xml.replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '') }],
    ['no conditions', { unsigned: (xml) => xml.replace(/<saml:Conditions.*<\/saml:Conditions>/, '') }],
    ['a condition that is not known', { unsigned: (xml) => xml.replace('</saml:Conditions>', '<saml:Condition/></saml:Conditions>') }],
    ['wrong destination', { destination: 'https://another.example/acs' }],
    ['wrong recipient', { recipient: 'https://another.example/acs' }],
    ['wrong issuer', { issuer: 'https://another.example/idp' }],
    ['not for whoever brings it', { method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' }],
    ['nobody logged in', { unsigned: (xml) => xml.replace(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/, '') }],
    ['the provider refuses', { status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }],
    ['nobody is named', { unsigned: (xml) => xml.replace(/<saml:NameID.*<\/saml:NameID>/, '') }],
    ['an empty name', { unsigned: (xml) => xml.replace('>stranger<', '><') }],
    ['no XML', { signed: () => 'not XML' }],
    ['XML that is not closed', { signed: (xml) => xml.slice(0, -5) }],
    ['no Base64 of UTF-8', { signed: (xml) => xml.replace('stranger', '\u0000') }],
  ])('refuses: %s', (_what, lies) => expectRefused(lies));
});

describeAttacks('an answer that was changed or made up', ({ logins, expectRefused }) => {
  it('InResponseTo: an answer to another request, or to none, is refused', async () => {
    await expectRefused({ inResponseTo: null, confirmedInResponseTo: null });
    await expectRefused({ inResponseTo: '_another', confirmedInResponseTo: '_another' });
    await expectRefused({ confirmedInResponseTo: '_another' });
    await expectRefused({ confirmedInResponseTo: null });
    for (const lies of [{ inResponseTo: null }, { inResponseTo: '_another' }])
      await expectRefused({ ...lies, sign: 'assertion' }, 'assertion');
  });

  it('the page that sends the form again shows nothing of it, and runs no script of others', async () => {
    const SAMLResponse = '"><script>alert(1)</script>';
    const page = await openBrowser(logins().service).ask(`${publicUrl}/auth/login/company/acs`, {
      form: { SAMLResponse, RelayState: "'><b>" },
      from: logins().provider.url,
    });
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('<script>alert');
    expect(page.text).not.toContain('<b>');
    expect(formOf(page).fields).toEqual({ SAMLResponse, RelayState: "'><b>", returned: 'yes' });
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'sha256-[\w+/=]{44}'; /);
    expect([page.headers.get('cache-control'), page.headers.get('referrer-policy')]).toEqual(['no-store', 'same-origin']);
  });

  it('wrong issuer, audience and recipient are refused where only the assertion is signed, too', async () => {
    for (const lies of [{ issuer: 'x' }, { audience: 'x' }, { recipient: 'x' }, { notOnOrAfter: -180_000 }])
      await expectRefused({ ...lies, sign: 'assertion' }, 'assertion');
  });

  it('comment injection: a comment, or anything but text, in a name is refused, even if the provider signed it', async () => {
    for (const nameId of ['victim<!-- -->.evil', 'victim<![CDATA[x]]>.evil', 'victim<saml:b/>.evil']) {
      logins().provider.person = { nameId };
      await expectRefused({ unsigned: (xml) => xml.replace(/ SessionIndex="[^"]*"/, '') });
    }
    logins().provider.person = { nameId: 'commented' };
    await expectRefused({ signed: (xml) => xml.replace('>commented<', '>comm<!-- -->ented<') });
    await expectRefused({ signed: (xml) => xml.replace('>commented<', '>comm<?x?>ented<') });
    await expectRefused({ signed: (xml) => xml.replace('<ds:DigestValue>', '<ds:DigestValue><!-- x -->') });
  });

  it('XXE: a document type is refused, whatever it declares', async () => {
    const doctypes = [
      '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
      `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((name, index) => `<!ENTITY ${name} "${`&${'abcdefgh'.charAt(index)};`.repeat(10)}">`).join('')}]>`,
      '<!DOCTYPE x>',
    ];
    for (const doctype of doctypes) {
      await expectRefused({ signed: (xml) => `${doctype}${xml}` });
      await expectRefused({ signed: (xml) => `<?xml version="1.0"?>${doctype}${xml.replace('>stranger<', '>&i;<')}` });
    }
  });

  it('oversized and overgrown answers are refused in little time', async () => {
    const deep = `${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}`;
    for (const more of [
      deep,
      '<a/>'.repeat(60_000),
      `<a ${Array.from({ length: 5000 }, (_, index) => `a${index}=""`).join(' ')}/>`,
      `<a ${'b '.repeat(50_000)}`,
    ])
      await expectRefused({ signed: (xml) => xml.replace('<samlp:Status>', `<samlp:Extensions>${more}</samlp:Extensions><samlp:Status>`) });
    const raw = new URLSearchParams({ SAMLResponse: 'A'.repeat(600_000) }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(codeOf(await logins().service.as(null).request('POST', '/auth/login/company/acs', { raw, headers }))).toBe(
      '413 CONTENT_TOO_LARGE',
    );
    expect(codeOf(await logins().service.as(null).request('POST', '/auth/login/company/acs', { raw: 'x=y', headers }))).toBe(
      '400 INVALID_PAYLOAD',
    );
  });
});
