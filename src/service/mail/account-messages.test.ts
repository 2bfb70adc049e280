import { describe, expect, it } from 'vitest';
import { writeMessage } from './account-messages.js';

describe('account messages', () => {
  it('state their purpose and one link, as text and as HTML', () => {
    expect(writeMessage('password-reset', 'ann@example.com', 'https://data.example.com/reset?token=abc', 'Tain')).toEqual({
      to: 'ann@example.com',
      subject: 'Password reset request',
      text: expect.stringContaining('Reset your password: https://data.example.com/reset?token=abc'),
      html: expect.stringContaining('<a href="https://data.example.com/reset?token=abc">'),
    });
  });

  it('C13: markup in a link or a project name stays text', () => {
    const { html } = writeMessage('invite', 'a@b.c', 'https://x/?a=1&b="><script>alert(1)</script>', '<img src=x>');
    expect(html).not.toMatch(/<script|<img/);
    expect(html).toContain('href="https://x/?a=1&amp;b=&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
  });

  it('keep the subject on one line', () => {
    expect(writeMessage('invite', 'a@b.c', 'https://x/', 'A\r\nBcc: all@example.com').subject).toBe(
      'You have been invited to A Bcc: all@example.com',
    );
  });
});
