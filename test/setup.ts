// What every test run needs around its tests. The server's own time zone must not matter, so tests
// run in one where nobody expects them to.
import { config } from 'chai'

process.env['TZ'] = 'Pacific/Kiritimati'
config.truncateThreshold = 0
