# The same as crash-loop.mjs, at next to no cost: what its starts take from the machine is no part of what is measured.
printf . >> "$1"
read -r line
id=${line#*\"id\":}
id=${id%%[,\}]*}
printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"crash","version":"1"}}}\n' "$id"
read -r line
sleep 0.05
exit 1
