// Prints every port of the gateway that cannot be opened, with the setting that changes it; then the exit code is 1.
// Plain JavaScript, so that `make run` can call it before packages are installed and the build begins.
import { portError } from './port-error.js'

const settingOr = (name, unset) => process.env[name]?.trim() || unset
const LISTENERS = [
  { setting: 'PORT', host: settingOr('HOST', '127.0.0.1'), wanted: settingOr('PORT', '8080') },
  {
    setting: 'OPS_PORT',
    host: settingOr('OPS_HOST', '127.0.0.1'),
    wanted: settingOr('OPS_PORT', '9464'),
  },
]

const suggested = new Set()

async function nextFree(host, taken) {
  let port = taken + 1
  while (suggested.has(port) || (port < 65_535 && (await portError(host, port)))) port += 1
  suggested.add(port)
  return port > 65_535 ? 0 : port
}

async function problemOf({ setting, host, wanted }) {
  const port = Number(wanted)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    return `${setting} is "${wanted}": a port from 0 to 65535 was expected.`
  }
  const code = await portError(host, port)
  if (code === 'EADDRINUSE') {
    const example = `${setting}=${await nextFree(host, port)}`
    return `Port ${port} on ${host} is taken: set ${setting} to another one, for example ${example}`
  }
  return code && `Port ${port} on ${host} cannot be opened (${code}): set ${setting} or its host.`
}

for (const listener of LISTENERS) {
  const problem = await problemOf(listener)
  if (problem === undefined) continue
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}
