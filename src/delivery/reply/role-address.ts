/**
 * Addresses that programs of mail systems read, or nobody (RFC 2142 and other common names). A program would answer the
 * reply, or a mailing list would spread it.
 */
const roles: ReadonlySet<string> = new Set([
  'abuse',
  'autoreply',
  'autoresponder',
  'bounce',
  'bounces',
  'daemon',
  'devnull',
  'donotreply',
  'hostmaster',
  'ldaemon',
  'listserv',
  'mailerdaemon',
  'mailman',
  'majordomo',
  'mdaemon',
  'noc',
  'nobody',
  'noreply',
  'noresponse',
  'null',
  'postmaster',
  'root',
  'security',
  'spam',
  'subscribe',
  'unsubscribe',
  'uucp',
  'webmaster',
])

/** `list-request`, `owner-list`, `bounce-123`, `list-bounces`, `do-not-reply-orders`. */
const rolePattern =
  /^(?:owner|bounces?|noreply|donotreply|return)[-_.=+]|[-_.=+](?:request|owner|bounces?|noreply|daemon)$/

/** @param email as `identityEmail` writes it */
export function isRoleAddress(email: string): boolean {
  const local = email.slice(0, email.lastIndexOf('@'))
  const joined = local.replace(/\b(no|not|do|dont|auto|mailer|dev)[-_.](?=not?\b|reply|respon|daemon|null)/g, '$1')
  const base = joined.split('+')[0] ?? joined
  return roles.has(base.replaceAll(/[-_.]/g, '')) || rolePattern.test(joined)
}
