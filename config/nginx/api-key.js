// The API key of a request, as the gateway reads it, for nginx's consistent hash (njs).
// Bearer, or Basic's password, or Basic's user name; else X-Api-Key. Without a key, requests are spread at random.
function read(r) {
  const found = /^\s*(bearer|basic) +(\S.*?)\s*$/i.exec(r.headersIn['Authorization'] || '')
  const key = found && (found[1].toLowerCase() === 'basic' ? basicKey(found[2]) : found[2])
  return key || (r.headersIn['X-Api-Key'] || '').trim() || r.variables.request_id
}

function basicKey(credentials) {
  const pair = Buffer.from(credentials, 'base64').toString()
  const colon = pair.indexOf(':')
  return pair.slice(colon + 1) || pair.slice(0, Math.max(colon, 0))
}

export default { read }
