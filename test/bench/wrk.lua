-- Requests of a file in turn, one a line: path and headers, separated by tabs. In a path, {day} is another day in each
-- request. Arguments: the file, the number of earlier requests, the first day as seconds since 1970. The end is one line
-- of JSON.
local requests = {}
local at = 0
local first = 0

function init(args)
  at = tonumber(args[2] or 0)
  first = tonumber(args[3] or 0)
  for line in io.lines(args[1]) do
    local path
    local headers = {}
    for field in line:gmatch("[^\t]+") do
      if path == nil then
        path = field
      else
        local name, value = field:match("^([^:]+): (.*)$")
        headers[name] = value
      end
    end
    local text = wrk.format("GET", path, headers)
    local from, to = text:find("{day}", 1, true)
    requests[#requests + 1] = from and { text:sub(1, from - 1), text:sub(to + 1) } or text
  end
end

function request()
  local chosen = requests[at % #requests + 1]
  at = at + 1
  if type(chosen) == "string" then return chosen end
  return chosen[1] .. os.date("!%Y-%m-%d", first + at * 86400) .. chosen[2]
end

function done(summary, latency, _)
  io.write(string.format(
    '{"requests":%d,"durationUs":%d,"bytes":%d,"connect":%d,"read":%d,"write":%d,"timeout":%d,"status":%d,"p50Us":%d,"p99Us":%d,"maxUs":%d}\n',
    summary.requests, summary.duration, summary.bytes,
    summary.errors.connect, summary.errors.read, summary.errors.write, summary.errors.timeout, summary.errors.status,
    latency:percentile(50), latency:percentile(99), latency.max
  ))
end
