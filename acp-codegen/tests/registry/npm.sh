#!/bin/sh
# A replacement for the npm client, with the parts that the command uses: `view` and `pack` of the versions beside this
# script. Its output and its exit codes are copied from runs of npm 11 against the registry.
registry=${0%/*}/..
package=@agentclientprotocol/sdk
echo "$PWD: $*" >> "$registry/calls"

fail() { # CODE SUMMARY
    printf '{\n  "error": {\n    "code": "%s",\n    "summary": "%s",\n    "detail": "See the log."\n  }\n}\n' "$1" "$2"
    if [ "$npm_config_loglevel" != silent ]; then
        echo 'npm warn Unknown user config "nodedir". This will stop working in the next major version of npm.' >&2
        printf 'npm error code %s\nnpm error %s\n' "$1" "$2" >&2
        echo 'npm error A complete log of this run can be found in: debug-0.log' >&2
    fi
    exit 1
}

[ -f "$registry/outage" ] && fail ECONNREFUSED "$(cat "$registry/outage")"

command=$1
shift
case $command in
view)
    wanted=${1#"$package@"}
    shift
    [ "$*" = "version license dist.integrity --json" ] || fail EUSAGE "view is asked for $*"
    [ -f "$registry/$wanted/view.json" ] || fail E404 "No match found for version $wanted"
    cat "$registry/$wanted/view.json"
    ;;
pack)
    into=${npm_config_pack_destination:-.}
    specs=
    while [ $# -gt 0 ]; do
        case $1 in
        --json | --ignore-scripts) ;;
        --pack-destination) into=$2 && shift ;;
        "$package@"*) specs="$specs ${1#"$package@"}" ;;
        *) fail EUSAGE "pack is asked for $1" ;;
        esac
        shift
    done
    for version in $specs; do
        [ -f "$registry/$version/archive.tgz" ] || fail ETARGET "No matching version found for $package@$version."
        cp "$registry/$version/archive.tgz" "$into/agentclientprotocol-sdk-$version.tgz" || exit
    done
    echo '[]'
    ;;
*) fail EUSAGE "unknown command $command" ;;
esac
