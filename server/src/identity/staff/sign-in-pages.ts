/**
 * The pages of the sign-in, rendered on the server: no script, one style sheet, and none of the typed values except the
 * e-mail address.
 */
import type { FastifyReply } from 'fastify'
import type { Page } from './sign-in-steps.ts'

export const stylePath = '/identity/staff/sign-in.css'

const policy =
  "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; img-src 'self'"

/** Headers of the pages, and of the responses of the provider. */
export const securityHeaders = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'strict-transport-security': 'max-age=31536000',
} as const

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  ...securityHeaders,
} as const

const marks: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark)
}

function field(label: string, name: string, attributes: string): string {
  return `<label for="${name}">${label}</label><input id="${name}" name="${name}" ${attributes} required>`
}

const forms: Readonly<Record<Page, (email: string) => { title: string; fields: string; button: string }>> = {
  password: (email) => ({
    title: 'Sign in',
    fields:
      field(
        'E-mail',
        'email',
        `type="email" autocomplete="username" maxlength="100" value="${escapeHtml(email)}"${email === '' ? ' autofocus' : ''}`,
      ) +
      field(
        'Password',
        'password',
        `type="password" autocomplete="current-password" maxlength="128"${email === '' ? '' : ' autofocus'}`,
      ),
    button: 'Sign in',
  }),
  code: () => ({
    title: 'Second factor',
    fields: field(
      'Code of your authenticator',
      'code',
      'type="text" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]{6,7}" maxlength="7" autofocus',
    ),
    button: 'Continue',
  }),
  'new password': () => ({
    title: 'Choose a password',
    fields: `<p>The password that you were given works once. Choose one of at least 15 characters.</p>${field('New password', 'new-password', 'type="password" autocomplete="new-password" minlength="15" maxlength="128" autofocus')}${field('Once more', 'again', 'type="password" autocomplete="new-password" minlength="15" maxlength="128"')}`,
    button: 'Save and sign in',
  }),
}

function render(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Clearing operations</title>
<link rel="stylesheet" href="${stylePath}">
</head>
<body>
<main>
<p class="product">Clearing operations</p>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`
}

export function renderSignInPage(page: Page, why: string, email: string): string {
  const { title, fields, button } = forms[page](email)
  const problem = why === '' ? '' : `<p class="problem" role="alert">${escapeHtml(why)}</p>`
  return render(
    title,
    `<form method="post">${problem}${fields}<button type="submit">${button}</button></form>`,
  )
}

/** Shown when a sign-in cannot continue: it took too long, another browser began it, or the person has no role here. */
export function renderProblemPage(why: string): string {
  return render(
    'Not signed in',
    `<p class="problem" role="alert">${escapeHtml(why)}</p><p><a href="/console/sign-in">Start again</a></p>`,
  )
}

export function sendPage(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply.code(status).headers(pageHeaders).send(html)
}

export const styleSheet = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f3f5f8, #14171c); color: light-dark(#1b2430, #e6e9ee); }
main { width: min(24rem, calc(100vw - 3rem)); padding: 2rem; border-radius: 12px; background: light-dark(#fff, #1e232b); box-shadow: 0 1px 12px rgb(0 0 0 / 12%); box-sizing: border-box; }
h1 { margin: 0 0 1rem; font-size: 1.5rem; }
.product { margin: 0; font-size: .875rem; color: light-dark(#56657a, #a5b1c2); }
label { display: block; margin: 1rem 0 .25rem; font-size: .9rem; font-weight: 600; }
input { width: 100%; box-sizing: border-box; padding: .6rem .7rem; font: inherit; color: inherit; background: light-dark(#fff, #14171c); border: 1px solid light-dark(#7d8aa0, #78859a); border-radius: 6px; }
button { width: 100%; margin-top: 1.5rem; padding: .7rem; font: inherit; font-weight: 600; color: #fff; background: #1c5fb8; border: 0; border-radius: 6px; cursor: pointer; }
input:focus-visible, button:focus-visible, a:focus-visible { outline: 3px solid #4c9aff; outline-offset: 2px; }
.problem { padding: .6rem .8rem; border-radius: 6px; background: light-dark(#fdecec, #47191b); color: light-dark(#8c1318, #ffd0d0); }
a { color: light-dark(#1c5fb8, #7db4ff); }
`
