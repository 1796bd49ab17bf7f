/** Whether the limits of a role and its server suffice for the pools of all gateways. Knows no pg. */
import { quotedRole } from './session-settings.ts'

export interface ConnectionLimits {
  readonly role: string
  /** Null: no limit. */
  readonly role_limit: number | null
  readonly server_limit: number
}

/** What was found, what was expected, and the remedy. Undefined if both limits suffice. */
export function describeLowLimit(
  { role, role_limit: ofRole, server_limit: ofServer }: ConnectionLimits,
  poolSize: number,
  gatewayCount: number,
): string | undefined {
  const needed = poolSize * gatewayCount
  const expected = `expected at least ${needed}, for a pool of ${poolSize} in ${gatewayCount === 1 ? '1 gateway' : `each of ${gatewayCount} gateways (GATEWAYS)`}`
  if (ofServer < needed)
    return `the server allows ${ofServer} connections (max_connections without the reserved ones), ${expected}: raise max_connections, or use smaller pools`
  if (ofRole !== null && ofRole < needed)
    return `the role ${role} may have ${ofRole} connections, ${expected}: alter role ${quotedRole(role)} connection limit ${needed}; on the primary, or use smaller pools`
  return undefined
}
