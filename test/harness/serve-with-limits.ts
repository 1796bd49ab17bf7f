// `svodka serve` with other limits than the constants: node serve-with-limits.js '{"keyTimeoutMs":10000}'
import { readConfig } from '../../src/config/read-config.ts'
import { serve } from '../../src/serve/start/serve.ts'

process.exit(await serve({ ...readConfig(process.env), ...JSON.parse(process.argv[2] ?? '{}') }))
