/** The follow-up of a rule or renewal, for the tables of the documentation. */

/** That of an expired identification depends on the citizenship (`asksIdentity` of the domain). */
export function followUpOf(asks: string): string {
  return asks === 'IdentityDocument'
    ? '`IdentityDocument`, or `ForeignIdentityDocument` of a person who is not a US citizen'
    : `\`${asks}\``
}
