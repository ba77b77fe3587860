; Added to the uninstaller by electron-builder: removes the registry entries that the app itself has written. An
; update runs the uninstaller too, and leaves them in place.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
    DeleteRegKey HKCU "Software\Classes\patchbay"
  ${endIf}
!macroend
